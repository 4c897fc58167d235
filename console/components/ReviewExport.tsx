import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { exportUrl } from '../data/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'

/** Downloads all reviews that match the filters. */
export function ReviewExport({ filters }: { readonly filters: ReviewSearch }) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All reviews that match the filters</Menu.Label>
        <Menu.Item component="a" href={exportUrl(filters, 'csv')} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={exportUrl(filters, 'jsonl')} download>
          JSON Lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
