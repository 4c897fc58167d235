import { Card, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
import { appTexts } from '../../messages/app.ts'
import { Section } from '../../ui/Section.tsx'
import { average, number, percent } from '../../util/numbers.ts'
import { dayAndTime } from '../../util/time.ts'
import { ChangeText } from './ChangeText.tsx'
import {
  averageChange,
  averageOf,
  type Change,
  countChange,
  lowShareOf,
  shareChange,
  totalOf,
} from './change.ts'

/** The main figures of the range, compared with the previous period. */
export function WhatChanged({ page }: { readonly page: AppPage }) {
  const now = starsOf(page)
  const { from, until, stars: before } = page.before
  const today = new Date(page.until)
  const period = [dayAndTime(new Date(from), today), dayAndTime(new Date(until), today)] as const
  const isComparable = totalOf(before) > 0
  const about = isComparable ? appTexts.compared(...period) : appTexts.notCompared(...period)
  const mean = averageOf(now)
  return (
    <Section title={appTexts.whatChanged} about={about}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Figure
          label={appTexts.reviews}
          value={number(totalOf(now))}
          change={isComparable ? countChange(totalOf(now), totalOf(before)) : null}
          better={null}
        />
        <Figure
          label={appTexts.averageStars}
          value={mean === null ? '–' : average(mean)}
          change={averageChange(mean, averageOf(before))}
          better="up"
        />
        <Figure
          label={appTexts.lowReviews}
          value={percent(lowShareOf(now))}
          change={shareChange(lowShareOf(now), lowShareOf(before))}
          better="down"
        />
        <StoreRating page={page} />
      </SimpleGrid>
    </Section>
  )
}

/** The change of the store's average since the range began, in the storefront with the most ratings. */
function StoreRating({ page: { app, ratingHistory } }: { readonly page: AppPage }) {
  const most = [...app.ratings].sort((a, b) => b.rating_count - a.rating_count)[0]
  if (most === undefined) return <Figure label={appTexts.averageRating} value="–" change={null} better="up" />
  const first = ratingHistory.find(({ storefront }) => storefront === most.country)?.points[0]
  return (
    <Figure
      label={appTexts.averageRatingIn(storefrontName(most.country))}
      value={average(most.rating)}
      change={averageChange(most.rating, first?.rating ?? null)}
      better="up"
    />
  )
}

function Figure(props: {
  readonly label: string
  readonly value: ReactNode
  readonly change: Change | null
  readonly better: 'up' | 'down' | null
}) {
  return (
    <Card withBorder padding="sm">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text fz={26} fw={650} lh={1.2} component="div">
        {props.value} <ChangeText change={props.change} better={props.better} />
      </Text>
    </Card>
  )
}

function starsOf({ days }: AppPage): readonly number[] {
  return [0, 1, 2, 3, 4].map((index) => days.reduce((sum, { stars }) => sum + (stars[index] ?? 0), 0))
}
