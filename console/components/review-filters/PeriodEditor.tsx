import { Group, Stack } from '@mantine/core'
import type { ReviewSearch } from '../../data/search.ts'
import { commonTexts } from '../../messages/common.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import type { FilterEditorProps } from '../../ui/FilterChips.tsx'

/** The period of publication. It has two fields, so it stays open until the reader closes it. */
export function PeriodEditor({ filters: { since, until }, setFilters }: FilterEditorProps<ReviewSearch>) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <DateTimeField
          label={commonTexts.since}
          value={since}
          onChange={(instant) => setFilters({ since: instant })}
          inDialog
        />
        <DateTimeField
          label={commonTexts.until}
          value={until}
          onChange={(instant) => setFilters({ until: instant })}
          inDialog
        />
      </Group>
    </Stack>
  )
}
