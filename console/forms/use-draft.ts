import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import { replies } from '../data/replies.ts'

/** After the last key. Leaving the field saves at once. */
const SAVE_AFTER_MS = 1_000

export type DraftState = 'unchanged' | 'saving' | 'saved' | 'failed'

/** Saves what is typed as the draft of an answer, one request at a time. */
export function useDraft(fingerprint: string, onSaved: (changed: ReplyRow) => void) {
  const [state, setState] = useState<DraftState>('unchanged')
  const unsaved = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<void>>(Promise.resolve())
  const saved = useRef(onSaved)
  saved.current = onSaved

  const save = useCallback((): Promise<void> => {
    clearTimeout(timer.current)
    running.current = running.current.then(async () => {
      const text = unsaved.current
      if (text === null) return
      unsaved.current = null
      setState('saving')
      try {
        saved.current(await replies.saveDraft(fingerprint, text))
        if (unsaved.current === null) setState('saved')
      } catch {
        unsaved.current ??= text
        setState('failed')
      }
    })
    return running.current
  }, [fingerprint])
  useEffect(() => () => void save(), [save])

  return {
    state,
    save,
    edited(text: string) {
      unsaved.current = text
      setState('unchanged')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
    },
    /** Saves it at once. */
    keep(text: string) {
      unsaved.current = text
      return save()
    },
    /** Waits for a save under way and saves no more, since an answer discards its draft. */
    async stop() {
      clearTimeout(timer.current)
      unsaved.current = null
      await running.current
    },
  }
}
