import { ActionIcon, Button, FocusTrap, Menu, Popover, UnstyledButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, Suspense, useRef, useState } from 'react'
import { commonTexts, filterTexts } from '../messages/common.ts'
import type { FilterControls } from '../util/filters.ts'

export type FilterEditorProps<S extends object> = Pick<FilterControls<S>, 'filters' | 'setFilters'> & {
  readonly label: string
  /** Call it once a value is chosen, unless there may be more to choose. */
  readonly close: () => void
}

/** A filter of a list, as data: a chip shows its value, and opens its editor. */
export type Filter<S extends object> = {
  readonly label: string
  /** The search parameters that it sets. Removing the chip removes all. */
  readonly names: readonly (keyof S & string)[]
  /** The value on the chip; null when the filter is not set. */
  readonly shown: (filters: S) => ReactNode
  /** Loaded when first opened, so that it costs nothing before. */
  readonly Editor: ComponentType<FilterEditorProps<S>>
}

/** The filters that are set, as chips, and a menu of the others. */
export function FilterChips<S extends object>({
  list: { filters, setFilters, clear, isFiltered },
  all,
}: {
  readonly list: FilterControls<S>
  readonly all: readonly Filter<S>[]
}) {
  const [open, setOpen] = useState<string | null>(null)
  const bar = useRef<HTMLDivElement>(null)
  const isSet = (filter: Filter<S>) => filter.shown(filters) !== null
  const close = (label: string) => {
    setOpen((current) => (current === label ? null : current))
    // A chip without a value goes, and the focus with it.
    requestAnimationFrame(() => {
      const chip = [...(bar.current?.querySelectorAll<HTMLElement>('[data-filter]') ?? [])].find(
        ({ dataset }) => dataset.filter === label,
      )
      const isElsewhere = document.activeElement !== document.body && document.activeElement !== null
      if (!isElsewhere) (chip ?? bar.current?.querySelector<HTMLElement>('[data-add-filter]'))?.focus()
    })
  }
  return (
    <div ref={bar} className="filter-chips">
      {all
        .filter((filter) => isSet(filter) || filter.label === open)
        .map((filter) => (
          <Chip
            key={filter.label}
            filter={filter}
            filters={filters}
            setFilters={setFilters}
            isOpen={filter.label === open}
            onOpen={() => setOpen(filter.label)}
            onClose={() => close(filter.label)}
          />
        ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-md"
            fz="sm"
            fw={500}
            leftSection={<IconPlus size={14} aria-hidden />}
            data-add-filter
          >
            {filterTexts.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          {all
            .filter((filter) => !isSet(filter))
            .map(({ label }) => (
              <Menu.Item key={label} onClick={() => setOpen(label)}>
                {label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {isFiltered && (
        <Button variant="subtle" size="compact-md" fz="sm" onClick={clear}>
          {commonTexts.clearFilters}
        </Button>
      )}
    </div>
  )
}

function Chip<S extends object>({
  filter: { label, names, shown, Editor },
  filters,
  setFilters,
  isOpen,
  onOpen,
  onClose,
}: Pick<FilterControls<S>, 'filters' | 'setFilters'> & {
  readonly filter: Filter<S>
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
}) {
  const value = shown(filters)
  const remove = () =>
    setFilters(Object.fromEntries(names.map((name) => [name, undefined])) as unknown as Partial<S>)
  return (
    <span className="filter-chip">
      <Popover
        opened={isOpen}
        onClose={onClose}
        onDismiss={onClose}
        position="bottom-start"
        shadow="md"
        withinPortal={false}
      >
        <Popover.Target>
          <UnstyledButton
            className="filter-chip-value"
            data-filter={label}
            onClick={isOpen ? onClose : onOpen}
          >
            {value === null ? (
              label
            ) : (
              <>
                <span className="filter-chip-name">{label}</span> {value}
              </>
            )}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p="xs" className="filter-editor">
          <Suspense>
            <FocusTrap active>
              <div>
                <Editor label={label} filters={filters} setFilters={setFilters} close={onClose} />
              </div>
            </FocusTrap>
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {value !== null && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={() => {
            remove()
            onClose()
          }}
          aria-label={filterTexts.remove(label)}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </span>
  )
}
