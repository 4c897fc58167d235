import { useSyncExternalStore } from 'react'
import { onUserChange } from './user-change.ts'

/**
 * Texts that are typed and not stored yet, each by what it belongs to. They outlive their field, which another review replaces, until the
 * page is loaded anew or the user changes.
 */
const texts = new Map<string, string>()
const listeners = new Set<() => void>()

function changed(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** An empty text is forgotten. */
export function setTypedText(key: string, text: string): void {
  if (text === '') texts.delete(key)
  else texts.set(key, text)
  changed()
}

export function useTypedText(key: string): string {
  return useSyncExternalStore(subscribe, () => texts.get(key) ?? '')
}

onUserChange(() => {
  texts.clear()
  changed()
})
