import { Grid, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
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
import { UnknownPage } from '../components/RouteStates.tsx'
import { appQuery, daysOf } from '../data/apps.ts'
import { APP_RANGES } from '../data/search.ts'
import { appTexts } from '../messages/app.ts'
import { commonTexts } from '../messages/common.ts'
import { NavigationLink } from '../ui/links.tsx'
import { Section } from '../ui/Section.tsx'
import { SectionedPage } from '../ui/SectionedPage.tsx'

const HALF = { base: 12, md: 6 } as const
const RANGE_LABELS = {
  '7': appTexts.range7Days,
  '30': appTexts.range30Days,
  '90': appTexts.range90Days,
  '365': appTexts.range1Year,
} as const
const RANGES = APP_RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))

const SECTIONS = [
  { id: 'summary', label: appTexts.summary, Content: Summary },
  { id: 'ratings', label: appTexts.ratings, Content: Ratings },
  { id: 'reviews', label: appTexts.reviews, Content: Reviews },
  { id: 'breakdown', label: appTexts.breakdown, Content: Breakdown },
  { id: 'feeds', label: appTexts.feeds, Content: FeedSection },
] as const

/** One app: what changed, its ratings, its reviews and its feeds, each a section with an address. All show the same range of days. */
export function App() {
  const { store = '', appId = '', section = 'summary' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const days = daysOf(search)
  const app = useQuery(appQuery(store, appId, days))
  const shown = SECTIONS.find(({ id }) => id === section)
  if (shown === undefined) return <UnknownPage />
  return (
    <Stack gap="lg">
      <PageQuery query={app} what={appTexts.item} back={{ to: '/apps', label: appTexts.back }}>
        {(page) => (
          <>
            <div>
              <AppHeader app={page.app} days={days} />
              <Range days={days} at={{ store, appId, section }} />
            </div>
            <SectionedPage
              label={appTexts.sections}
              sections={SECTIONS}
              shown={section}
              link={(id, given) => (
                <NavigationLink
                  to="/apps/$store/$appId/$section"
                  params={{ store, appId, section: id }}
                  search={search}
                  {...given}
                />
              )}
            >
              <shown.Content page={page} />
            </SectionedPage>
          </>
        )}
      </PageQuery>
    </Stack>
  )
}

function Range({
  days,
  at,
}: {
  readonly days: number
  readonly at: { readonly store: string; readonly appId: string; readonly section: string }
}) {
  const navigate = useNavigate()
  return (
    <SegmentedControl
      data={RANGES}
      value={String(days)}
      onChange={(value) =>
        void navigate({
          to: '/apps/$store/$appId/$section',
          params: at,
          search: { days: APP_RANGES.find((range) => range === value) },
          replace: true,
        })
      }
      aria-label={commonTexts.timeRange}
      size="xs"
    />
  )
}

function Summary({ page }: { readonly page: AppPage }) {
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
      <NewestLow page={page} />
    </>
  )
}

function Ratings({ page }: { readonly page: AppPage }) {
  return (
    <Section title={appTexts.averageRating}>
      <RatingCards ratings={page.app.ratings} />
      <RatingHistory page={page} />
    </Section>
  )
}

function Reviews({ page }: { readonly page: AppPage }) {
  return (
    <>
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
      <Section title={appTexts.topThemes}>
        <ThemeBars page={page} />
      </Section>
    </>
  )
}

function Breakdown({ page }: { readonly page: AppPage }) {
  return (
    <Grid>
      <Grid.Col span={HALF}>
        <ByVersion page={page} />
      </Grid.Col>
      <Grid.Col span={HALF}>
        <ByMarket page={page} />
      </Grid.Col>
    </Grid>
  )
}

function FeedSection({ page }: { readonly page: AppPage }) {
  return (
    <>
      <Feeds page={page} />
      <AtomFeeds app={page.app} />
    </>
  )
}
