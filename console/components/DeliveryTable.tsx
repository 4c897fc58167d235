import { Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { DeliveryRow } from '../../src/contract/v1/deliveries.ts'
import { commonTexts } from '../messages/common.ts'
import { attemptTexts, deliveryTexts } from '../messages/deliveries.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import type { Selection } from '../ui/table/selection.ts'
import type { Sort } from '../ui/table/sort.ts'
import { attemptOutcome, deadBecause } from './AttemptDetail.tsx'
import { latencyOf } from './DeliveryDetail.tsx'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { subjectText } from './DeliverySubject.tsx'
import { hookName } from './destination/destination-name.ts'
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
  readonly lines: readonly DeliveryRow[]
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
        idOf={({ event_id }) => event_id}
        nameOf={(line) => deliveryTexts.rowName(subjectText(line), hookName(line))}
        card={(line) => <DeliveryCard line={line} onOpen={setOpened} />}
        minWidth={720}
        selection={selection}
        {...sorting}
      />
    </>
  )
}

type Open = (eventId: string) => void

function columnsOf(onOpen: Open): Column<DeliveryRow>[] {
  const column = (
    id: string,
    header: string,
    cell: (line: DeliveryRow) => ReactNode,
    maxWidth?: number,
  ): Column<DeliveryRow> => ({
    id,
    header,
    accessorFn: ({ event_id }) => event_id,
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
      ...column('created', commonTexts.created, ({ created_at }) => <Instant at={created_at} />),
      accessorFn: ({ created_at }) => created_at,
      enableSorting: true,
      sortFn: 'basic',
      sortDescFirst: true,
    },
    column('updated', deliveryTexts.updated, (line) => <Updated line={line} />),
  ]
}

function DeliveryCard({ line, onOpen }: { readonly line: DeliveryRow; readonly onOpen: Open }) {
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <StatusBadge status={line.status} />
        <Text size="sm">
          <Instant at={line.created_at} />
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

function DestinationLink({ line }: { readonly line: DeliveryRow }) {
  return (
    <AnchorLink
      to="/destinations/$id"
      params={{ id: line.hook_id }}
      size="sm"
      display="block"
      truncate="end"
      title={hookName(line)}
    >
      {hookName(line)}
    </AnchorLink>
  )
}

function Attempts({ line }: { readonly line: DeliveryRow }) {
  return (
    <>
      {line.attempts}
      <Text size="xs" c="dimmed">
        {lastOutcome(line)}
      </Text>
    </>
  )
}

function lastOutcome(line: DeliveryRow): string {
  if (line.status === 'dead' && line.dead_reason !== null) return deadBecause(line.dead_reason, line)
  if (line.last_reason === null)
    return line.last_http_status === null ? '' : attemptTexts.httpStatus(line.last_http_status)
  return attemptOutcome(line.last_reason, line.last_http_status)
}

function Updated({ line }: { readonly line: DeliveryRow }) {
  if (line.status === 'delivered' && line.delivered_at !== null) {
    return (
      <>
        <Instant at={line.delivered_at} />
        <Text size="xs" c="dimmed">
          {deliveryTexts.after(latencyOf(line.created_at, line.delivered_at))}
        </Text>
      </>
    )
  }
  if (line.status === 'dead') return <Instant at={line.dead_at} />
  if (line.status === 'held') return <Text size="sm">{deliveryTexts.destinationPaused}</Text>
  return (
    <Text size="sm">
      <NextAttempt at={line.due_at} />
    </Text>
  )
}
