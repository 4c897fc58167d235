import { Select } from '@mantine/core'
import { commonTexts } from '../messages/common.ts'
import type { Option } from '../util/options.ts'

/** A select in a filter bar; `undefined` without a choice. */
export function FilterSelect<T extends string>({
  label,
  options,
  value,
  onChange,
  width = 150,
}: {
  readonly label: string
  readonly options: readonly Option<T>[]
  readonly value: string | undefined
  readonly onChange: (value: T | undefined) => void
  readonly width?: number
}) {
  return (
    <Select
      label={label}
      placeholder={commonTexts.any}
      data={[...options]}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
      clearable
      searchable={options.length > 8}
      w={width}
      size="sm"
    />
  )
}
