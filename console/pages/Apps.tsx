import { Group, SegmentedControl, SimpleGrid, Stack, Switch } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { AppGroupCard } from '../components/app/AppGroupCard.tsx'
import { MayChange } from '../components/MayChange.tsx'
import { appsQuery } from '../data/apps.ts'
import { type AppsSearch, appsSearch } from '../data/search.ts'
import { appsTexts } from '../messages/apps.tsx'
import { comparePresetTexts } from '../messages/compare.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'
import { appGroups } from '../util/app-groups.ts'
import { filterControls } from '../util/filters.ts'

const route = getRouteApi('/signed-in/apps')
const LAYOUTS = [
  { value: 'cards', label: appsTexts.cards },
  { value: 'table', label: appsTexts.table },
]
const AppTable = lazy(async () => ({
  default: (await import('../components/app/AppTable.tsx')).AppTable,
}))

/** The apps that this account tracks, as cards or as a table. */
export function Apps() {
  const apps = useQuery(appsQuery)
  const navigate = useNavigate()
  const { layout, sort, ...filters } = route.useSearch()
  const show = (search: AppsSearch) => void navigate({ to: '/apps', search, replace: true })
  const list = filterControls<Omit<AppsSearch, 'layout' | 'sort'>>(filters, (next) =>
    show({ ...next, layout, sort }),
  )
  const add = (
    <MayChange>
      <ButtonLink to="/apps/add" leftSection={<IconPlus size={16} aria-hidden />}>
        {appsTexts.add}
      </ButtonLink>
    </MayChange>
  )
  const grouped = list.filters.grouped !== 'false'
  const search = (list.filters.text ?? '').trim().toLowerCase()
  const shown = apps.data?.filter((app) =>
    `${app.name ?? ''} ${app.developer ?? ''} ${app.app_id}`.toLowerCase().includes(search),
  )
  return (
    <>
      <PageHeader
        title={appsTexts.title}
        about={appsTexts.about}
        actions={
          <>
            <ButtonLink to="/compare" variant="default">
              {comparePresetTexts.compare}
            </ButtonLink>
            {add}
          </>
        }
      />
      {apps.isPending && <LoadingLines />}
      {apps.isError && <Failed error={apps.error} onRetry={() => apps.refetch()} />}
      {apps.data?.length === 0 && (
        <Empty title={appsTexts.emptyTitle} action={add}>
          {appsTexts.emptyNote}
        </Empty>
      )}
      {apps.data !== undefined && apps.data.length > 0 && (
        <Stack>
          <Group align="flex-end">
            <SearchField
              label={appsTexts.search}
              value={list.filters.text}
              onChange={(text) => list.setFilters({ text })}
              width={360}
            />
            <SegmentedControl
              data={LAYOUTS}
              value={layout ?? 'cards'}
              onChange={(value) => show({ ...filters, layout: value === 'table' ? value : undefined })}
              aria-label={appsTexts.layout}
            />
            {layout !== 'table' && (
              <Switch
                label={appsTexts.group}
                checked={grouped}
                onChange={(event) =>
                  list.setFilters({ grouped: event.currentTarget.checked ? undefined : 'false' })
                }
                mb={6}
              />
            )}
          </Group>
          {shown?.length === 0 && <NoMatch what={appsTexts.name} onClear={list.clear} />}
          {layout === 'table' && shown !== undefined && shown.length > 0 && (
            <Suspense fallback={<LoadingLines />}>
              <AppTable
                apps={shown}
                sort={sort}
                onSort={(next) => show({ ...filters, layout, sort: appsSearch.parse({ sort: next }).sort })}
              />
            </Suspense>
          )}
          {layout !== 'table' && (
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
              {(grouped ? appGroups(shown ?? []) : (shown ?? []).map((app) => [app])).map((apps) => (
                <AppGroupCard key={`${apps[0]?.store}/${apps[0]?.app_id}`} apps={apps} />
              ))}
            </SimpleGrid>
          )}
        </Stack>
      )}
    </>
  )
}
