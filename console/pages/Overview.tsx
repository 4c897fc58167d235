import { Grid, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Overview as OverviewData, RANGES } from '../../src/contract/console/overview.ts'
import { Throughput } from '../components/charts/Throughput.tsx'
import { Notices } from '../components/Notices.tsx'
import { Figures } from '../components/overview/Figures.tsx'
import { NewestDrops } from '../components/overview/NewestDrops.tsx'
import { RatingChanges } from '../components/overview/RatingChanges.tsx'
import { overviewQuery, rangeOf } from '../data/overview.ts'
import { commonTexts } from '../messages/common.ts'
import { overviewTexts } from '../messages/overview.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'

/** Loaded only for a new account. */
const FirstSteps = lazy(async () => ({
  default: (await import('../components/first-steps/FirstSteps.tsx')).FirstSteps,
}))

const route = getRouteApi('/signed-in/')
const LABELS = {
  '24h': overviewTexts.range24Hours,
  '7d': overviewTexts.range7Days,
  '30d': overviewTexts.range30Days,
} as const

/** The state of the account: new reviews, deliveries, and problems. */
export function Overview() {
  const range = rangeOf(route.useSearch())
  const navigate = useNavigate()
  const overview = useQuery(overviewQuery(range))
  return (
    <Stack gap="lg">
      <PageHeader
        title={overviewTexts.title}
        actions={
          <SegmentedControl
            data={RANGES.map((value) => ({ value, label: LABELS[value] }))}
            value={range}
            onChange={(value) =>
              void navigate({
                to: '/',
                search: { range: RANGES.find((known) => known === value) },
                replace: true,
              })
            }
            aria-label={commonTexts.timeRange}
            size="xs"
          />
        }
      />
      {overview.isPending && <LoadingPage />}
      {overview.isError && <Failed error={overview.error} onRetry={() => overview.refetch()} />}
      {overview.data !== undefined && <Sections overview={overview.data} hourly={range === '24h'} />}
    </Stack>
  )
}

function Sections({ overview, hourly }: { readonly overview: OverviewData; readonly hourly: boolean }) {
  const { steps } = overview
  // Without an app every figure is empty.
  if (!steps.app) return <Guide steps={steps} />
  return (
    <>
      {!(steps.destination && steps.delivered) && <Guide steps={steps} />}
      <Figures overview={overview} />
      <Section title={overviewTexts.chartsTitle}>
        <Throughput series={overview.series} hourly={hourly} />
      </Section>
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <NewestDrops drops={overview.newestDrops} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <RatingChanges movements={overview.movements} />
        </Grid.Col>
      </Grid>
      {overview.notices.length > 0 && (
        <Section title={commonTexts.notices}>
          <Notices notices={overview.notices} />
        </Section>
      )}
    </>
  )
}

function Guide({ steps }: { readonly steps: OverviewData['steps'] }) {
  return (
    <Suspense fallback={<LoadingPage />}>
      <FirstSteps steps={steps} />
    </Suspense>
  )
}
