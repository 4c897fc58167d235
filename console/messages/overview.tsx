import type { ReactNode } from 'react'
import { counted, number, percent } from '../util/numbers.ts'
import { duration } from '../util/time.ts'

/** Texts of the overview, and of its parts that other pages show too. */

export const overviewTexts = {
  range24Hours: '24 hours',
  range7Days: '7 days',
  range30Days: '30 days',
  title: 'Overview',
  chartsTitle: 'Reviews and deliveries',
  reviewsFound: 'Reviews found',
  ratingDrops: 'Rating drops',
  eventsDelivered: 'Events delivered',
  p95: (ms: number) => `p95 latency ${duration(ms)}`,
  deliverySuccess: 'Delivery success',
  ofAttempts: (share: number | null) => `${percent(share)} of attempts`,
  pending: 'Pending',
  deadLetters: 'Dead letters',
  lastDrop: (at: ReactNode) => <>Last {at}</>,
  oldestDue: (at: ReactNode) => <>Oldest due {at}</>,
  held: (count: number) => `${number(count)} held`,
  late: (count: number) => `${number(count)} at failing destinations`,
  noneDue: 'None due',
  dropsAbout: 'By 0.05 or more, or matched by a subscription',
  noDrops: 'No rating dropped in this period.',
  appIn: (app: ReactNode, store: string) => (
    <>
      {app} ({store})
    </>
  ),
  ratingChanges: 'Rating changes',
  noChanges: 'No rating changed in this period.',
  fellBy: 'Fell by',
  roseBy: 'Rose by',
  fromTo: (before: string, now: string) => `${before} to ${now}`,
} as const

export const throughputTexts = {
  reviewsFound: 'Reviews found',
  accepted: 'Accepted',
  failed: 'Failed',
  summary: (found: number, delivered: number, failed: number) =>
    `${counted(found, 'review')} found, ${counted(delivered, 'event')} delivered, ${counted(failed, 'failed attempt')} in this period.`,
  hour: 'hour',
  day: 'day',
  reviewsPer: (per: string) => `Reviews found per ${per}`,
  attemptsPer: (per: string) => `Delivery attempts per ${per}`,
} as const

export const ratingDropTexts = {
  line: (mark: ReactNode, app: ReactNode, storefront: string, before: string, now: string, at: ReactNode) => (
    <>
      {mark}
      {app}
      {storefront} fell from {before} to {now} · {at}
    </>
  ),
} as const

export const destinationStateTexts = {
  createdVia: (program: string) => `Created via ${program}`,
  failingSince: (at: ReactNode) => <>Failing since {at}</>,
} as const
