import { Combobox, ScrollArea, TextInput, useCombobox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { filterTexts } from '../messages/common.ts'
import type { Option } from '../util/options.ts'

/** The options of a filter below a field that narrows them: type, then Enter. */
export function OptionList({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string
  readonly options: readonly Option[]
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
      <ScrollArea.Autosize mah={260} type="auto" mt={6} viewportProps={{ tabIndex: 0 }}>
        <Combobox.Options aria-label={label}>
          {found.map((option) => (
            <Combobox.Option key={option.value} value={option.value} active={option.value === value}>
              {option.label}
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {found.length === 0 && <Combobox.Empty>{filterTexts.noOption}</Combobox.Empty>}
      </ScrollArea.Autosize>
    </Combobox>
  )
}
