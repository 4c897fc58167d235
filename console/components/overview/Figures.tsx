import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { overviewTexts } from '../../messages/overview.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { CardLink } from '../../ui/links.tsx'
import { attemptSuccess, number, percent } from '../../util/numbers.ts'

/** The main figures; each links to its list. */
export function Figures({ overview }: { readonly overview: Overview }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      <Figure label={overviewTexts.reviewsFound} value={number(overview.reviews)} to="/reviews" />
      <Figure
        label={overviewTexts.ratingDrops}
        value={number(overview.drops)}
        about={<LastDrop overview={overview} />}
        to="/apps"
      />
      <Figure
        label={overviewTexts.eventsDelivered}
        value={number(overview.delivered)}
        about={overview.p95Ms === null ? undefined : overviewTexts.p95(overview.p95Ms)}
        to="/deliveries"
      />
      <Figure
        label={overviewTexts.deliverySuccess}
        value={percent(overview.successRate)}
        about={overviewTexts.ofAttempts(attemptSuccess(overview.delivered, overview.failedAttempts))}
        to="/deliveries"
      />
      <Figure
        label={overviewTexts.pending}
        value={number(overview.pending)}
        alarming={overview.late > 0}
        about={<PendingDetail overview={overview} />}
        to="/deliveries"
      />
      <Figure
        label={overviewTexts.deadLetters}
        value={number(overview.dead)}
        alarming={overview.dead > 0}
        to="/dead-letters"
      />
    </SimpleGrid>
  )
}

function LastDrop({ overview: { newestDrops } }: { readonly overview: Overview }) {
  const [last] = newestDrops
  if (last === undefined) return null
  return <>{overviewTexts.lastDrop(<Instant at={last.at} />)}</>
}

function PendingDetail({ overview: { oldestDueAt, held, late } }: { readonly overview: Overview }) {
  if (late > 0) return overviewTexts.late(late)
  if (oldestDueAt !== null) {
    return <>{overviewTexts.oldestDue(<Instant at={oldestDueAt} />)}</>
  }
  return held > 0 ? overviewTexts.held(held) : overviewTexts.noneDue
}

function Figure(props: {
  readonly label: string
  readonly value: string
  readonly about?: ReactNode
  readonly alarming?: boolean
  readonly to: '/reviews' | '/apps' | '/deliveries' | '/dead-letters'
}) {
  return (
    <CardLink withBorder padding="sm" to={props.to} style={{ textDecoration: 'none', color: 'inherit' }}>
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text
        fz={26}
        fw={650}
        lh={1.2}
        {...(props.alarming === true ? { c: 'var(--mantine-color-red-text)' } : {})}
      >
        {props.value}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {props.about}
      </Text>
    </CardLink>
  )
}
