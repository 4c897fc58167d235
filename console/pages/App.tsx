import { Grid, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { AppPage } from '../../src/contract/console/apps.ts'
import { AppHeader } from '../components/app/AppHeader.tsx'
import { AtomFeeds } from '../components/app/AtomFeeds.tsx'
import { ByMarket, ByVersion } from '../components/app/Breakdown.tsx'
import { Feeds } from '../components/app/Feeds.tsx'
import { NewestLow } from '../components/app/NewestLow.tsx'
import { RatingCards } from '../components/app/RatingCards.tsx'
import { RisingThemes } from '../components/app/RisingThemes.tsx'
import { TopRequests } from '../components/app/TopRequests.tsx'
import { WhatChanged } from '../components/app/WhatChanged.tsx'
import { RatingHistory } from '../components/charts/RatingHistory.tsx'
import { SentimentByDay } from '../components/charts/SentimentByDay.tsx'
import { StarShares } from '../components/charts/StarShares.tsx'
import { ThemeBars } from '../components/charts/ThemeBars.tsx'
import { VolumeByDay } from '../components/charts/VolumeByDay.tsx'
import { PageQuery } from '../components/PageQuery.tsx'
import { appQuery, daysOf } from '../data/apps.ts'
import { APP_RANGES } from '../data/search.ts'
import { appTexts } from '../messages/app.ts'
import { commonTexts } from '../messages/common.ts'
import { Section } from '../ui/Section.tsx'

const HALF = { base: 12, md: 6 } as const
const route = getRouteApi('/signed-in/apps/$store/$appId')
const RANGE_LABELS = {
  '7': appTexts.range7Days,
  '30': appTexts.range30Days,
  '90': appTexts.range90Days,
  '365': appTexts.range1Year,
} as const
const RANGES = APP_RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))

/** One app: its ratings, its reviews and the health of its feeds. */
export function App() {
  const { store, appId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const days = daysOf(search)
  const app = useQuery(appQuery(store, appId, days))
  return (
    <Stack gap="lg">
      <PageQuery query={app} what={appTexts.item} back={{ to: '/apps', label: appTexts.back }}>
        {(page) => (
          <>
            <div>
              <AppHeader app={page.app} />
              <SegmentedControl
                data={RANGES}
                value={String(days)}
                onChange={(value) =>
                  void navigate({
                    to: '/apps/$store/$appId',
                    params: { store, appId },
                    search: { days: APP_RANGES.find((range) => range === value) },
                    replace: true,
                  })
                }
                aria-label={commonTexts.timeRange}
                size="xs"
              />
            </div>
            <Figures page={page} />
          </>
        )}
      </PageQuery>
    </Stack>
  )
}

function Figures({ page }: { readonly page: AppPage }) {
  return (
    <>
      <WhatChanged page={page} />
      <Grid>
        <Grid.Col span={HALF}>
          <RisingThemes page={page} />
        </Grid.Col>
        <Grid.Col span={HALF}>
          <TopRequests page={page} />
        </Grid.Col>
      </Grid>
      <Section title={appTexts.averageRating}>
        <RatingCards ratings={page.app.ratings} />
        <RatingHistory page={page} />
      </Section>
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title={appTexts.reviewsPerDay}>
            <VolumeByDay page={page} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Section title={appTexts.stars}>
            <StarShares page={page} />
          </Section>
        </Grid.Col>
      </Grid>
      <Section title={appTexts.sentiment}>
        <SentimentByDay page={page} />
      </Section>
      <Grid>
        <Grid.Col span={HALF}>
          <ByVersion page={page} />
        </Grid.Col>
        <Grid.Col span={HALF}>
          <ByMarket page={page} />
        </Grid.Col>
      </Grid>
      <Section title={appTexts.topThemes}>
        <ThemeBars page={page} />
      </Section>
      <NewestLow page={page} />
      <AtomFeeds app={page.app} />
      <Feeds page={page} />
    </>
  )
}
