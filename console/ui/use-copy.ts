import { useState } from 'react'
import { commonTexts } from '../messages/common.ts'
import { notifyFailed } from './confirm.tsx'

/** How long a button says that its value was copied. */
const COPIED_MS = 1_000

/** Copies a value, and says for a moment that it was copied. */
export function useCopy(value: string): { readonly copied: boolean; readonly copy: () => void } {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    copyText(value).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    }, notifyFailed)
  return { copied, copy }
}

/** Rejects with a sentence. Browsers have a clipboard only at https URLs and loopback hosts; elsewhere they still copy a selection. */
export async function copyText(text: string): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  if (isCopied !== true && !copySelected(text)) throw new Error(commonTexts.copyFailed)
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Beside the focus: outside a dialog nothing can be focused.
  const place = focused?.parentElement ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
