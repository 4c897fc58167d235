import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

/** They have keys of their own. */
const LAYERS = '[role=dialog], [role=menu], [role=listbox]'
const MODAL = '[role=dialog][aria-modal=true]'

/** Keys of the page, which do nothing while somebody types, in a menu, or behind a dialog. */
export function usePageKeys(keys: readonly HotkeyItem[]): void {
  useHotkeys(
    keys.map(([key, handle, options = {}]) => [
      key,
      (event) => {
        if (isOfLayer(event)) return
        if (options.preventDefault !== false) event.preventDefault()
        handle(event)
      },
      { ...options, preventDefault: false },
    ]),
  )
}

function isOfLayer({ target }: KeyboardEvent): boolean {
  // Escape may have closed the layer just now, so that only the target is still inside of it.
  if (target instanceof Element && target.closest(LAYERS) !== null) return true
  return document.querySelector(MODAL) !== null
}
