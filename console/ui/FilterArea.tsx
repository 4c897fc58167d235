import { Button, Drawer, Group } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { commonTexts, filterTexts } from '../messages/common.ts'
import type { FilterControls } from '../util/filters.ts'

/** The filters of a list. On a narrow screen, a button opens them. */
export function FilterArea({
  list: { filters, clear, isFiltered },
  label,
  what,
  children,
}: {
  readonly list: Pick<FilterControls<object>, 'filters' | 'clear' | 'isFiltered'>
  /** For screen readers. */
  readonly label: string
  /** The name of the rows, in the plural. */
  readonly what: string
  readonly children: ReactNode
}) {
  const narrow = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  const [opened, { open, close }] = useDisclosure(false)
  const clearButton = isFiltered && (
    <Button variant="subtle" onClick={clear}>
      {commonTexts.clearFilters}
    </Button>
  )
  const fields = (
    <Group gap="xs" role="search" aria-label={label} align="flex-end">
      {children}
      {clearButton}
    </Group>
  )
  if (!narrow) return fields
  const count = Object.entries(filters).filter(
    // The store is part of the app filter, and the sorting no filter.
    ([name, value]) => value !== undefined && name !== 'store' && name !== 'sort',
  ).length
  return (
    <>
      <Group gap="xs">
        <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={open}>
          {count === 0 ? filterTexts.title : filterTexts.titleCount(count)}
        </Button>
        {clearButton}
      </Group>
      <Drawer opened={opened} onClose={close} title={filterTexts.title} position="bottom" size="85%">
        {fields}
        <Button mt="md" fullWidth onClick={close}>
          {filterTexts.show(what)}
        </Button>
      </Drawer>
    </>
  )
}
