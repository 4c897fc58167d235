import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { ReviewSearch } from '../../data/search.ts'
import { reviewFilterTexts } from '../../messages/reviews.tsx'
import { useTypedSearch } from '../../ui/use-typed-search.ts'
import type { FilterControls } from '../../util/filters.ts'
import { useSuggestions } from './suggestions.ts'

/** Searches the texts of reviews, and suggests filters by what is typed. Arrow keys choose one, Enter takes it. */
export function ReviewSearchField({
  filters,
  setFilters,
}: Pick<FilterControls<ReviewSearch>, 'filters' | 'setFilters'>) {
  const { typed, type, clear } = useTypedSearch(filters.text, (text) => setFilters({ text }))
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const list = useId()
  const suggestions = useSuggestions(isOpen ? typed : '')
  const isShown = isOpen && suggestions.length > 0
  const close = () => {
    setIsOpen(false)
    setChosen(-1)
  }
  const take = (index: number) => {
    const suggestion = suggestions[index]
    if (suggestion === undefined) return
    setFilters({ ...suggestion.filters, text: undefined })
    clear()
    close()
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (event.key === 'Enter' && isShown && chosen >= 0) take(chosen)
    else if (step !== undefined && suggestions.length > 0) {
      setIsOpen(true)
      // From the first upwards, back to the typed text.
      setChosen((index) => Math.max(-1, Math.min(suggestions.length - 1, index + step)))
    } else return
    if (event.key !== 'Tab') event.preventDefault()
  }
  return (
    <div className="review-search">
      <TextInput
        aria-label={reviewFilterTexts.search}
        placeholder={reviewFilterTexts.searchHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        maxLength={200}
        size="sm"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && chosen >= 0 ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        onChange={(event) => {
          type(event.currentTarget.value)
          setIsOpen(true)
          setChosen(-1)
        }}
        onKeyDown={handleKey}
        onBlur={close}
      />
      {isShown && (
        <div
          id={list}
          role="listbox"
          aria-label={reviewFilterTexts.suggestions}
          className="review-suggestions"
        >
          {suggestions.map(({ key, label }, index) => (
            // The field keeps the focus and has the keys.
            <div
              key={key}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onMouseDown={(event) => {
                event.preventDefault()
                take(index)
              }}
            >
              {label}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
