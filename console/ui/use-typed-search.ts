import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** The list is filtered once typing pauses this long. */
const TYPING_PAUSE_MS = 300

/** What is typed in the text filter of a list, whose value is in the URL. */
export function useTypedSearch(value: string | undefined, onChange: (value: string | undefined) => void) {
  const [typed, setTyped] = useState(value ?? '')
  // The URL changes with a delay and must not overwrite text typed since.
  const requested = useRef(value)
  const request = useDebouncedCallback((text: string | undefined) => {
    requested.current = text
    onChange(text)
  }, TYPING_PAUSE_MS)
  useEffect(() => {
    if (value === requested.current) return
    request.cancel()
    requested.current = value
    setTyped(value ?? '')
  }, [value, request])
  return {
    typed,
    type: (text: string) => {
      setTyped(text)
      // The server trims the text: spaces alone are no filter.
      request(text.trim() === '' ? undefined : text)
    },
    /** Empties the field for the sake of another filter, which the caller sets together with the text. */
    clear: () => {
      request.cancel()
      requested.current = undefined
      setTyped('')
    },
  }
}
