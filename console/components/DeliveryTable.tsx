import { Anchor, Checkbox, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { DeliveryLine } from '../../src/contract/console/deliveries.ts'
import { Instant } from '../ui/Instant.tsx'
import { paths } from '../util/paths.ts'
import { inWords } from '../util/words.ts'
import { NextTry } from './NextTry.tsx'
import { StatusBadge } from './StatusBadge.tsx'

export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly toggle: (eventId: string) => void
  readonly toggleAll: () => void
}

/** Deliveries, newest first; with a selection when something can be done to several. */
export function DeliveryTable({
  lines,
  selection,
}: {
  readonly lines: readonly DeliveryLine[]
  readonly selection?: Selection
}) {
  const all =
    selection !== undefined && lines.length > 0 && lines.every((line) => selection.selected.has(line.eventId))
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {selection !== undefined && (
              <Table.Th w={36}>
                <Checkbox
                  aria-label="Select all that are shown"
                  checked={all}
                  indeterminate={!all && selection.selected.size > 0}
                  onChange={selection.toggleAll}
                />
              </Table.Th>
            )}
            <Table.Th>State</Table.Th>
            <Table.Th>Event</Table.Th>
            <Table.Th>Destination</Table.Th>
            <Table.Th>Attempts</Table.Th>
            <Table.Th>Made</Table.Th>
            <Table.Th>Then</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.eventId}>
              {selection !== undefined && (
                <Table.Td>
                  <Checkbox
                    aria-label={`Select ${line.eventType} for ${line.targetUrl}`}
                    checked={selection.selected.has(line.eventId)}
                    onChange={() => selection.toggle(line.eventId)}
                  />
                </Table.Td>
              )}
              <Table.Td>
                <StatusBadge status={line.status} />
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} to={paths.delivery(line.eventId)} size="sm">
                  {line.eventType}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {line.appName ?? line.appId}
                </Text>
              </Table.Td>
              <Table.Td maw={260}>
                <Text size="sm" truncate="end" title={line.targetUrl}>
                  {line.targetUrl}
                </Text>
              </Table.Td>
              <Table.Td>
                {line.attempts}
                <Text size="xs" c="dimmed">
                  {outcome(line)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Instant at={line.createdAt} />
              </Table.Td>
              <Table.Td>
                <Then line={line} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function outcome(line: DeliveryLine): string {
  if (line.status === 'dead' && line.deadReason !== null) return inWords(line.deadReason)
  if (line.lastReason !== null) {
    return line.lastHttpStatus === null ? inWords(line.lastReason) : `answered ${line.lastHttpStatus}`
  }
  return line.lastHttpStatus === null ? '' : `answered ${line.lastHttpStatus}`
}

function Then({ line }: { readonly line: DeliveryLine }) {
  if (line.status === 'delivered') return <Instant at={line.deliveredAt} />
  if (line.status === 'dead') return <Instant at={line.deadAt} />
  if (line.status === 'held') return <Text size="sm">held while paused</Text>
  return (
    <Text size="sm">
      <NextTry at={line.dueAt} />
    </Text>
  )
}
