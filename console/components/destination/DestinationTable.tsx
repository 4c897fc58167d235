import { Group, Text } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { commonTexts } from '../../messages/common.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import type { Selection } from '../../ui/table/selection.ts'
import type { Sort } from '../../ui/table/sort.ts'
import { stateRank } from '../../util/destination-state.ts'
import { number } from '../../util/numbers.ts'
import { HealthSpark } from '../HealthSpark.tsx'
import { TargetBadge } from '../target/TargetBadge.tsx'
import { DestinationCard } from './DestinationCard.tsx'
import { DestinationState, SourceBadge } from './DestinationState.tsx'
import { destinationName, secondaryUrl } from './destination-name.ts'
import { Sentences } from './Sentences.tsx'

/** The destinations, with their health. */
export function DestinationTable(props: {
  readonly lines: readonly DestinationLine[]
  readonly selection: Selection | undefined
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
}) {
  const { lines, ...table } = props
  return (
    <DataTable
      label={destinationTexts.title}
      rows={lines}
      columns={COLUMNS}
      idOf={({ id }) => id}
      nameOf={destinationName}
      card={(line) => <DestinationCard line={line} />}
      minWidth={820}
      {...table}
    />
  )
}

const COLUMNS: readonly Column<DestinationLine>[] = [
  {
    id: 'name',
    header: destinationTexts.destination,
    accessorFn: (line) => destinationName(line).toLowerCase(),
    sortFn: 'basic',
    cell: ({ row }) => <Name line={row.original} />,
    maxWidth: 380,
  },
  {
    id: 'state',
    header: commonTexts.state,
    accessorFn: stateRank,
    sortFn: 'basic',
    cell: ({ row }) => <State line={row.original} />,
  },
  {
    id: 'pending',
    header: destinationTexts.pending,
    accessorFn: ({ health }) => health.pending,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row }) => number(row.original.health.pending),
  },
  {
    id: 'dead',
    header: destinationTexts.deadLetters,
    accessorFn: ({ health }) => health.dead,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row }) => number(row.original.health.dead),
  },
  {
    id: 'delivered',
    header: destinationTexts.deliveredColumn,
    accessorFn: ({ health }) => health.delivered24h,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row }) => <Delivered line={row.original} />,
  },
  {
    id: 'last',
    header: destinationTexts.lastDelivery,
    accessorFn: ({ health }) => health.lastDeliveredAt ?? '',
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row: { original } }) =>
      original.health.lastDeliveredAt === null ? (
        destinationTexts.noneRecently
      ) : (
        <Instant at={original.health.lastDeliveredAt} />
      ),
  },
]

function Name({ line }: { readonly line: DestinationLine }) {
  const url = secondaryUrl(line)
  return (
    <>
      <Group gap="xs">
        <AnchorLink
          to="/destinations/$id"
          params={{ id: line.id }}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {destinationName(line)}
        </AnchorLink>
        <TargetBadge type={line.targetType} />
        {!line.editable && <SourceBadge line={line} />}
      </Group>
      {url !== null && (
        <Text size="xs" c="dimmed" truncate="end" title={url}>
          {url}
        </Text>
      )}
      {line.description !== null && (
        <Text size="xs" lineClamp={2} dir="auto">
          {line.description}
        </Text>
      )}
      <Sentences line={line} />
    </>
  )
}

function State({ line }: { readonly line: DestinationLine }) {
  return (
    <Group gap={4}>
      <DestinationState line={line} />
    </Group>
  )
}

function Delivered({ line: { health } }: { readonly line: DestinationLine }) {
  return (
    <>
      {number(health.delivered24h)}
      {health.p95Ms !== null && (
        <Text span size="xs" c="dimmed">
          {destinationTexts.p95Note(health.p95Ms)}
        </Text>
      )}
      <HealthSpark perHour={health.perHour} />
    </>
  )
}
