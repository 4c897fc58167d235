import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { tableTexts } from '../messages/common.ts'

/** Downloads all rows of a list that match its filters. */
export function ExportMenu({
  what,
  urlOf,
}: {
  readonly what: string
  readonly urlOf: (format: 'csv' | 'jsonl') => string
}) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {tableTexts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{tableTexts.exported(what)}</Menu.Label>
        <Menu.Item component="a" href={urlOf('csv')} download>
          {tableTexts.csv}
        </Menu.Item>
        <Menu.Item component="a" href={urlOf('jsonl')} download>
          {tableTexts.jsonLines}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
