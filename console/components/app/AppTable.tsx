import { Group, Text } from '@mantine/core'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import { COLUMNS_MAX } from '../../data/compare-address.ts'
import { compareLink } from '../../data/compare-link.ts'
import { COLUMNS_MIN } from '../../data/compare-search.ts'
import { appsTexts, appTableTexts } from '../../messages/apps.tsx'
import { compareTexts } from '../../messages/compare.ts'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink, ButtonLink } from '../../ui/links.tsx'
import { BulkBar } from '../../ui/table/BulkBar.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { useSelection } from '../../ui/table/selection.ts'
import type { Sort } from '../../ui/table/sort.ts'
import { sideBySide } from '../../util/comparison.ts'
import { average, number } from '../../util/numbers.ts'
import { AppIcon } from '../AppIcon.tsx'
import { HealthBadge } from '../HealthBadge.tsx'
import { StoreBadge } from '../StoreBadge.tsx'
import { AppCard } from './AppCard.tsx'

/** The apps as rows that can be sorted, and some selected to compare them. */
export function AppTable({
  apps,
  sort,
  onSort,
}: {
  readonly apps: readonly TrackedApp[]
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
}) {
  const selection = useSelection()
  const selected = apps.filter((app) => selection.selected.has(idOf(app)))
  return (
    <>
      <BulkBar
        count={selected.length}
        hint={appTableTexts.hint(COLUMNS_MIN, COLUMNS_MAX)}
        onClear={() => selection.set(new Set())}
      >
        {selected.length >= COLUMNS_MIN && selected.length <= COLUMNS_MAX ? (
          <ButtonLink
            to="/compare"
            search={compareLink(sideBySide(selected))}
            size="compact-sm"
            variant="light"
          >
            {appTableTexts.compare(selected.length)}
          </ButtonLink>
        ) : (
          <Text size="sm" c="dimmed">
            {appTableTexts.hint(COLUMNS_MIN, COLUMNS_MAX)}
          </Text>
        )}
      </BulkBar>
      <DataTable
        label={appsTexts.title}
        rows={apps}
        columns={COLUMNS}
        idOf={idOf}
        nameOf={(app) => compareTexts.inStore(nameOf(app), STORE_NAMES[app.store])}
        card={(app) => <AppCard app={app} isFramed={false} />}
        minWidth={860}
        selection={selection}
        sort={sort}
        onSort={onSort}
      />
    </>
  )
}

const idOf = ({ store, app_id }: TrackedApp) => `${store}/${app_id}`
const nameOf = ({ name, app_id }: TrackedApp) => name ?? app_id
/** Below every rating and count. */
const NONE = -1

const COLUMNS: readonly Column<TrackedApp>[] = [
  {
    id: 'name',
    header: appTableTexts.app,
    accessorFn: (app) => nameOf(app).toLowerCase(),
    sortFn: 'basic',
    cell: ({ row }) => <Name app={row.original} />,
    maxWidth: 380,
  },
  {
    id: 'rating',
    header: appTableTexts.rating,
    accessorFn: ({ ratings: [first] }) => first?.rating ?? NONE,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row }) => <FirstRating app={row.original} />,
  },
  {
    id: 'ratings',
    header: appTableTexts.ratings,
    accessorFn: ({ ratings: [first] }) => first?.rating_count ?? NONE,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row: { original } }) =>
      original.ratings[0] === undefined ? '–' : number(original.ratings[0].rating_count),
  },
  {
    id: 'reviews',
    header: appTableTexts.reviews,
    accessorFn: ({ reviews_7d }) => reviews_7d,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row }) => number(row.original.reviews_7d),
  },
  {
    id: 'last',
    header: appTableTexts.last,
    accessorFn: ({ last_review_at }) => last_review_at ?? '',
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row: { original } }) =>
      original.last_review_at === null ? appsTexts.noReviews : <Instant at={original.last_review_at} />,
  },
  {
    id: 'destinations',
    header: appTableTexts.destinations,
    accessorFn: ({ hooks }) => hooks,
    sortFn: 'basic',
    sortDescFirst: true,
    cell: ({ row }) => number(row.original.hooks),
  },
  {
    id: 'state',
    header: appTableTexts.state,
    accessorFn: ({ health }) => health,
    enableSorting: false,
    cell: ({ row }) => <HealthBadge health={row.original.health} />,
  },
]

function Name({ app }: { readonly app: TrackedApp }) {
  return (
    <Group wrap="nowrap" gap="sm">
      <AppIcon name={app.name} iconUrl={app.icon_url} size={32} />
      <div style={{ minWidth: 0 }}>
        <AnchorLink
          to="/apps/$store/$appId"
          params={{ store: app.store, appId: app.app_id }}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {nameOf(app)}
        </AnchorLink>
        <div>
          <StoreBadge store={app.store} />
        </div>
      </div>
    </Group>
  )
}

function FirstRating({ app: { ratings } }: { readonly app: TrackedApp }) {
  const [first] = ratings
  if (first === undefined) return appsTexts.noRating
  return (
    <>
      {average(first.rating)}
      <span aria-hidden> ★</span>
      <Text size="xs" c="dimmed">
        {storefrontName(first.country)}
      </Text>
    </>
  )
}
