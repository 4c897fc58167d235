import { Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { DeliveryLine } from '../../src/contract/console/deliveries.ts'
import { displayName, REASON_NAMES } from '../../src/contract/console/display-names.ts'
import { commonTexts } from '../messages/common.ts'
import { attemptTexts, deliveryTexts } from '../messages/deliveries.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import type { Selection } from '../ui/table/selection.ts'
import type { Sort } from '../ui/table/sort.ts'
import { attemptOutcome } from './AttemptDetail.tsx'
import { latencyOf } from './DeliveryDetail.tsx'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { subjectText } from './DeliverySubject.tsx'
import { destinationName } from './destination/destination-name.ts'
import { EventLink } from './EventLink.tsx'
import { NextAttempt } from './NextAttempt.tsx'
import { StatusBadge } from './StatusBadge.tsx'

/**
 * Deliveries in the order of the service, which can sort by time only. Each opens beside the list. With `selection`, each row
 * has a checkbox.
 */
export function DeliveryTable({
  lines,
  selection,
  ...sorting
}: {
  readonly lines: readonly DeliveryLine[]
  readonly selection?: Selection
  readonly sort?: Sort
  readonly onSort?: (sort: Sort | undefined) => void
}) {
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useMemo(() => columnsOf(setOpened), [])
  return (
    <>
      {opened !== null && <DeliveryDrawer eventId={opened} onClose={() => setOpened(null)} />}
      <DataTable
        label={deliveryTexts.title}
        rows={lines}
        columns={columns}
        idOf={({ eventId }) => eventId}
        nameOf={(line) => deliveryTexts.rowName(subjectText(line), destinationName(line))}
        card={(line) => <DeliveryCard line={line} onOpen={setOpened} />}
        minWidth={720}
        selection={selection}
        {...sorting}
      />
    </>
  )
}

type Open = (eventId: string) => void

function columnsOf(onOpen: Open): Column<DeliveryLine>[] {
  const column = (
    id: string,
    header: string,
    cell: (line: DeliveryLine) => ReactNode,
    maxWidth?: number,
  ): Column<DeliveryLine> => ({
    id,
    header,
    accessorFn: ({ eventId }) => eventId,
    enableSorting: false,
    cell: ({ row }) => cell(row.original),
    ...(maxWidth !== undefined && { maxWidth }),
  })
  return [
    column('state', commonTexts.state, ({ status }) => <StatusBadge status={status} />),
    column('event', commonTexts.event, (line) => <EventLink line={line} onOpen={onOpen} />, 300),
    column('destination', deliveryTexts.destination, (line) => <DestinationLink line={line} />, 260),
    column('attempts', deliveryTexts.attempts, (line) => <Attempts line={line} />),
    {
      ...column('created', commonTexts.created, ({ createdAt }) => <Instant at={createdAt} />),
      accessorFn: ({ createdAt }) => createdAt,
      enableSorting: true,
      sortFn: 'basic',
      sortDescFirst: true,
    },
    column('updated', deliveryTexts.updated, (line) => <Updated line={line} />),
  ]
}

function DeliveryCard({ line, onOpen }: { readonly line: DeliveryLine; readonly onOpen: Open }) {
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <StatusBadge status={line.status} />
        <Text size="sm">
          <Instant at={line.createdAt} />
        </Text>
      </Group>
      <EventLink line={line} onOpen={onOpen} />
      <DestinationLink line={line} />
      <Group gap="md" align="flex-start">
        <div>{deliveryTexts.attemptsLine(<Attempts line={line} />)}</div>
        <div>
          <Updated line={line} />
        </div>
      </Group>
    </Stack>
  )
}

function DestinationLink({ line }: { readonly line: DeliveryLine }) {
  return (
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
  )
}

function Attempts({ line }: { readonly line: DeliveryLine }) {
  return (
    <>
      {line.attempts}
      <Text size="xs" c="dimmed">
        {lastOutcome(line)}
      </Text>
    </>
  )
}

function lastOutcome(line: DeliveryLine): string {
  if (line.status === 'dead' && line.deadReason !== null) return displayName(REASON_NAMES, line.deadReason)
  if (line.lastReason === null)
    return line.lastHttpStatus === null ? '' : attemptTexts.httpStatus(line.lastHttpStatus)
  return attemptOutcome(line.lastReason, line.lastHttpStatus)
}

function Updated({ line }: { readonly line: DeliveryLine }) {
  if (line.status === 'delivered' && line.deliveredAt !== null) {
    return (
      <>
        <Instant at={line.deliveredAt} />
        <Text size="xs" c="dimmed">
          {deliveryTexts.after(latencyOf(line.createdAt, line.deliveredAt))}
        </Text>
      </>
    )
  }
  if (line.status === 'dead') return <Instant at={line.deadAt} />
  if (line.status === 'held') return <Text size="sm">{deliveryTexts.destinationPaused}</Text>
  return (
    <Text size="sm">
      <NextAttempt at={line.dueAt} />
    </Text>
  )
}
