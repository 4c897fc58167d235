import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ComparisonTable } from '../components/compare/ComparisonTable.tsx'
import { StartComparison } from '../components/compare/StartComparison.tsx'
import { useComparison } from '../components/compare/use-comparison.ts'
import { MayChange } from '../components/MayChange.tsx'
import { appsQuery } from '../data/apps.ts'
import { COLUMNS_MAX } from '../data/compare-address.ts'
import { compareLink } from '../data/compare-link.ts'
import { COLUMNS_MIN, columnSearches } from '../data/compare-search.ts'
import { appsTexts } from '../messages/apps.tsx'
import { compareTexts } from '../messages/compare.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'
import { type Column, columnOf, withNamedVersion } from '../util/comparison.ts'

const route = getRouteApi('/signed-in/compare')

/** Selections of reviews side by side. The address has all columns; without any, the page offers comparisons. */
export function Compare() {
  const columns = columnSearches(route.useSearch()).map(columnOf)
  if (columns.length > 0) return <Comparison columns={columns} />
  return (
    <>
      <PageHeader title={compareTexts.title} about={compareTexts.about} />
      <Start />
    </>
  )
}

function Start() {
  const apps = useQuery(appsQuery)
  if (apps.isPending) return <LoadingLines />
  if (apps.data === undefined) return <Failed error={apps.error} onRetry={() => apps.refetch()} />
  if (apps.data.length > 0) return <StartComparison apps={apps.data} />
  return (
    <Empty
      title={appsTexts.emptyTitle}
      action={
        <MayChange>
          <ButtonLink to="/apps/add" leftSection={<IconPlus size={16} aria-hidden />}>
            {appsTexts.add}
          </ButtonLink>
        </MayChange>
      }
    >
      {appsTexts.emptyNote}
    </Empty>
  )
}

function Comparison({ columns: stated }: { readonly columns: readonly Column[] }) {
  const navigate = useNavigate()
  const addButton = useRef<HTMLButtonElement>(null)
  const columns = [...stated, ...stated.slice(0, 1)].slice(0, Math.max(COLUMNS_MIN, stated.length))
  const results = useComparison(columns)
  const go = (next: readonly Column[], replace = false) =>
    void navigate({ to: '/compare', search: compareLink(next), replace })
  const shown = results.map(({ column, versions }) => withNamedVersion(column, versions) ?? column)
  const isOfNewest = shown.some((column, index) => column !== columns[index])
  const named = JSON.stringify(compareLink(shown))
  // Who opens a copied address later sees the same versions.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once the names of the versions are known
  useEffect(() => {
    if (isOfNewest) go(shown, true)
  }, [isOfNewest, named])
  const last = shown.at(-1)
  const isFull = shown.length === COLUMNS_MAX
  return (
    <>
      <PageHeader
        title={compareTexts.title}
        about={compareTexts.about}
        actions={
          <>
            <ButtonLink to="/compare" variant="default">
              {compareTexts.newComparison}
            </ButtonLink>
            <Button
              ref={addButton}
              leftSection={<IconPlus size={16} aria-hidden />}
              // A disabled button would lose the focus that it got by the last click.
              {...(isFull
                ? { 'aria-disabled': true, 'data-disabled': true, title: compareTexts.columnsMax }
                : {})}
              onClick={() => !isFull && last !== undefined && go([...shown, last])}
            >
              {compareTexts.addColumn}
            </Button>
          </>
        }
      />
      <Stack gap="sm">
        <ComparisonTable
          results={results}
          onChange={(at, change) =>
            go(shown.map((column, index) => (index === at ? { ...column, ...change } : column)))
          }
          onMakeBase={(at) => go([...shown.slice(at, at + 1), ...shown.filter((_, index) => index !== at)])}
          onRemove={
            shown.length > COLUMNS_MIN
              ? (at) => {
                  go(shown.filter((_, index) => index !== at))
                  // The button that had the focus is gone.
                  addButton.current?.focus()
                }
              : null
          }
        />
        <Group>
          <Text size="sm" c="dimmed">
            {compareTexts.enrichedNote}
          </Text>
        </Group>
      </Stack>
    </>
  )
}
