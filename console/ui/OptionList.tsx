import { Combobox, Space, TextInput, useCombobox } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { filterTexts } from '../messages/common.ts'
import type { Option } from '../util/options.ts'
import { ScrollRegion } from './ScrollRegion.tsx'
import { Failed, LoadingLines } from './States.tsx'

/** The options of a filter below a field that narrows them: type, then Enter. */
export function OptionList({
  label,
  options,
  query,
  value,
  onChoose,
}: {
  readonly label: string
  readonly options: readonly Option[]
  /** Has the options, or some of them. */
  readonly query?: UseQueryResult<unknown>
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
}) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ opened: true })
  const wanted = typed.trim().toLowerCase()
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted))
  const { selectFirstOption } = combobox
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter takes the first of what was found now.
  useEffect(() => {
    selectFirstOption()
  }, [wanted, options.length])
  return (
    <Combobox store={combobox} onOptionSubmit={onChoose}>
      <Combobox.EventsTarget>
        <TextInput
          aria-label={label}
          placeholder={filterTexts.narrow}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          size="sm"
          data-autofocus
        />
      </Combobox.EventsTarget>
      <Space h={6} />
      <ScrollRegion label={label} maxHeight={260}>
        <Combobox.Options aria-label={label}>
          {found.map((option) => (
            <Combobox.Option key={option.value} value={option.value} active={option.value === value}>
              {option.label}
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {query?.isPending === true && <LoadingLines lines={2} />}
        {query?.isLoadingError === true && <Failed error={query.error} onRetry={() => query.refetch()} />}
        {found.length === 0 && (query === undefined || query.isSuccess) && (
          <Combobox.Empty>{filterTexts.noOption}</Combobox.Empty>
        )}
      </ScrollRegion>
    </Combobox>
  )
}
