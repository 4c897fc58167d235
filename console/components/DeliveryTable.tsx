import { Checkbox, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { DeliveryLine } from '../../src/contract/console/deliveries.ts'
import { displayName, REASON_NAMES } from '../../src/contract/console/display-names.ts'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import { destinationName } from '../util/destination-name.ts'
import { attemptOutcome } from './AttemptDetail.tsx'
import { latencyOf } from './DeliveryDetail.tsx'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { subjectText } from './DeliverySubject.tsx'
import { EventLink } from './EventLink.tsx'
import { NextAttempt } from './NextAttempt.tsx'
import { StatusBadge } from './StatusBadge.tsx'

export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly toggle: (eventId: string) => void
  readonly toggleAll: () => void
}

/** Deliveries, newest first. Each opens beside the list. With `selection`, each row has a checkbox. */
export function DeliveryTable({
  lines,
  selection,
}: {
  readonly lines: readonly DeliveryLine[]
  readonly selection?: Selection
}) {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <ScrollRegion label="Deliveries">
      {opened !== null && <DeliveryDrawer eventId={opened} onClose={() => setOpened(null)} />}
      <Table highlightOnHover miw={720}>
        <Table.Thead>
          <Table.Tr>
            {selection !== undefined && <SelectAll lines={lines} selection={selection} />}
            <Table.Th>State</Table.Th>
            <Table.Th>Event</Table.Th>
            <Table.Th>Destination</Table.Th>
            <Table.Th>Attempts</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Updated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <DeliveryRow key={line.eventId} line={line} selection={selection} onOpen={setOpened} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  )
}

function SelectAll({
  lines,
  selection,
}: {
  readonly lines: readonly DeliveryLine[]
  readonly selection: Selection
}) {
  const all = lines.length > 0 && lines.every((line) => selection.selected.has(line.eventId))
  return (
    <Table.Th w={36}>
      <Checkbox
        aria-label="Select all shown"
        checked={all}
        indeterminate={!all && selection.selected.size > 0}
        onChange={selection.toggleAll}
      />
    </Table.Th>
  )
}

function DeliveryRow({
  line,
  selection,
  onOpen,
}: {
  readonly line: DeliveryLine
  readonly onOpen: (eventId: string) => void
  readonly selection: Selection | undefined
}) {
  return (
    <Table.Tr>
      {selection !== undefined && (
        <Table.Td>
          <Checkbox
            aria-label={`Select ${subjectText(line)} for ${destinationName(line)}`}
            checked={selection.selected.has(line.eventId)}
            onChange={() => selection.toggle(line.eventId)}
          />
        </Table.Td>
      )}
      <Table.Td>
        <StatusBadge status={line.status} />
      </Table.Td>
      <Table.Td maw={300}>
        <EventLink line={line} onOpen={onOpen} />
      </Table.Td>
      <Table.Td maw={260}>
        <AnchorLink
          to="/destinations/$id"
          params={{ id: line.hookId }}
          size="sm"
          display="block"
          truncate="end"
          title={destinationName(line)}
        >
          {destinationName(line)}
        </AnchorLink>
      </Table.Td>
      <Table.Td>
        {line.attempts}
        <Text size="xs" c="dimmed">
          {lastOutcome(line)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Instant at={line.createdAt} />
      </Table.Td>
      <Table.Td>
        <Updated line={line} />
      </Table.Td>
    </Table.Tr>
  )
}

function lastOutcome(line: DeliveryLine): string {
  if (line.status === 'dead' && line.deadReason !== null) return displayName(REASON_NAMES, line.deadReason)
  if (line.lastReason === null) return line.lastHttpStatus === null ? '' : `HTTP ${line.lastHttpStatus}`
  return attemptOutcome(line.lastReason, line.lastHttpStatus)
}

function Updated({ line }: { readonly line: DeliveryLine }) {
  if (line.status === 'delivered' && line.deliveredAt !== null) {
    return (
      <>
        <Instant at={line.deliveredAt} />
        <Text size="xs" c="dimmed">
          after {latencyOf(line.createdAt, line.deliveredAt)}
        </Text>
      </>
    )
  }
  if (line.status === 'dead') return <Instant at={line.deadAt} />
  if (line.status === 'held') return <Text size="sm">Destination paused</Text>
  return (
    <Text size="sm">
      <NextAttempt at={line.dueAt} />
    </Text>
  )
}
