import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTypedSearch } from './use-typed-search.ts'

/** The text filter of a list, stored in the URL. */
export function SearchField({
  label,
  value,
  onChange,
  width = 220,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  readonly width?: number
}) {
  const { typed, type } = useTypedSearch(value, onChange)
  return (
    <TextInput
      label={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value)}
      w={width}
      maw="100%"
      size="sm"
    />
  )
}
