import { type RefObject, useEffect, useRef } from 'react'

/**
 * The ref for a form whose first field with a problem gets the focus after each submission that found one, so that it is in view also if
 * the button is far below. `submissions`: how often the form was submitted. `error`: what the service found.
 */
export function useProblemFocus<E extends HTMLElement = HTMLFormElement>(
  submissions: number,
  error: Error | null,
): RefObject<E | null> {
  const form = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: both start the search, and neither is read.
  useEffect(() => {
    if (submissions > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submissions, error])
  return form
}
