import { lazy } from 'react'
import type { ReviewSearch } from '../../data/search.ts'
import type { Filter } from '../../ui/FilterChips.tsx'
import type { Option } from '../../util/options.ts'

const OptionList = lazy(async () => ({ default: (await import('../../ui/OptionList.tsx')).OptionList }))

/** A filter by one of some values. `change`: what choosing one sets, if it is more than the parameter. */
export function optionFilter<T extends string>(
  name: keyof ReviewSearch & string,
  label: string,
  options: readonly Option<T>[],
  change: (value: string) => Partial<ReviewSearch> = (value) => ({ [name]: value }),
): Filter<ReviewSearch> {
  return {
    label,
    names: [name],
    shown: (filters) => {
      const value = filters[name]
      return value === undefined ? null : (options.find((option) => option.value === value)?.label ?? value)
    },
    Editor: ({ filters, setFilters, close }) => (
      <OptionList
        label={label}
        options={options}
        value={filters[name]}
        onChoose={(value) => {
          setFilters(change(value))
          close()
        }}
      />
    ),
  }
}
