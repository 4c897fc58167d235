import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

/** The list is filtered once typing pauses this long. */
const TYPING_PAUSE_MS = 300

/** The text filter of a list, stored in the URL. */
export function SearchField({
  label,
  value,
  onChange,
  width = 220,
  hint,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  readonly width?: number | 'auto'
  /** In the empty field, which then has its label for screen readers only. */
  readonly hint?: string
}) {
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
  return (
    <TextInput
      {...(hint === undefined ? { label } : { 'aria-label': label, placeholder: hint })}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      maxLength={200}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        // The server trims the text: spaces alone are no filter.
        request(text.trim() === '' ? undefined : text)
      }}
      w={width}
      maw="100%"
      size="sm"
    />
  )
}
