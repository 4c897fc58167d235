import { orderProblem } from '../../model/newest-first.ts'
import type { StoreReview } from '../../model/review.ts'
import { NEWEST_TOLERANCE_MS, type SourceFault, type SourceFinding } from '../../model/source-health.ts'
import type { SourcePageAnswer } from '../appstores/appstore.ts'
import { newestOf } from './source-selection.ts'

/** Compares what the sources of a store show of one busy app at the same time. Pure. */

const HOUR_MS = 3_600_000
/** The newest review of a busy app is 24 to 30 hours old (docs/stores.md, Delay). */
const DELAYED_MS = 36 * HOUR_MS
const AHEAD_MS_MAX = 24 * HOUR_MS
/** The App Store opened; Google Play is younger. */
const OLDEST_MS = Date.parse('2008-07-10T00:00:00Z')
const IMPLAUSIBLE_SHARE_MAX = 1 / 3

export type AskedSource = {
  readonly source: string
  readonly newestFirst: boolean
  readonly answer: SourcePageAnswer
}

/** A finding for each request. Of a source that was asked again the last answer counts; the ones before it were empty. */
export function findingsOfRequests(
  asked: readonly AskedSource[],
  now: Date,
): readonly { readonly source: string; readonly finding: SourceFinding }[] {
  const isLast = (one: AskedSource) => one === asked.findLast(({ source }) => source === one.source)
  const findings = compareSources(asked.filter(isLast), now)
  return asked.map((one) => {
    const { source } = one
    const finding = isLast(one) ? findings.get(source) : undefined
    return { source, finding: finding ?? { fault: faultOf(one.answer), newestAt: null, overlap: null } }
  })
}

/** The findings by source. An answer without reviews says something about its source only if another one shows reviews. */
export function compareSources(asked: readonly AskedSource[], now: Date): ReadonlyMap<string, SourceFinding> {
  const pages = asked.flatMap(({ source, answer }) =>
    answer.kind === 'ok' && answer.reviews.length > 0 ? [{ source, reviews: answer.reviews }] : [],
  )
  const newest = pages.map(({ reviews }) => newestOf(reviews, now)?.getTime() ?? 0)
  const freshestMs = Math.max(0, ...newest)
  return new Map(
    asked.map(({ source, newestFirst, answer }): [string, SourceFinding] => {
      if (answer.kind !== 'ok' || answer.reviews.length === 0) {
        const fault = pages.length === 0 ? undefined : faultOf(answer)
        return [source, { fault, newestAt: null, overlap: null }]
      }
      const { reviews } = answer
      const others = new Set(
        pages.filter((page) => page.source !== source).flatMap((page) => page.reviews.map(idOf)),
      )
      return [
        source,
        {
          fault: faultOfReviews(reviews, newestFirst, freshestMs, now),
          newestAt: newestOf(reviews, now),
          overlap: others.size === 0 ? null : overlapOf(reviews.map(idOf), others),
        },
      ]
    }),
  )
}

function faultOf({ kind }: SourcePageAnswer): SourceFault | undefined {
  if (kind === 'ok' || kind === 'empty') return 'empty'
  return kind === 'blocked' || kind === 'changed' ? kind : undefined
}

/** A source that is not asked for newest first can be neither frozen nor delayed. */
function faultOfReviews(
  reviews: readonly StoreReview[],
  newestFirst: boolean,
  freshestMs: number,
  now: Date,
): SourceFault | null {
  const implausible = reviews.filter(({ shownAt }) => !isPlausible(shownAt.getTime(), now))
  if (implausible.length > reviews.length * IMPLAUSIBLE_SHARE_MAX) return 'changed'
  if (!newestFirst) return null
  if (orderProblem(reviews) !== null) return 'unsorted'
  const newestMs = newestOf(reviews, now)?.getTime() ?? 0
  // A busy app gets reviews every few minutes.
  if (freshestMs - newestMs > NEWEST_TOLERANCE_MS) return 'frozen'
  return now.getTime() - freshestMs > DELAYED_MS ? 'delayed' : null
}

function isPlausible(shownMs: number, now: Date): boolean {
  return shownMs >= OLDEST_MS && shownMs <= now.getTime() + AHEAD_MS_MAX
}

/** Of the smaller of both sets: sources have pages of 20 to 200 reviews. */
function overlapOf(ids: readonly string[], others: ReadonlySet<string>): number {
  const common = ids.filter((id) => others.has(id)).length
  return Math.min(1, common / Math.min(ids.length, others.size))
}

function idOf({ reviewId }: StoreReview): string {
  return reviewId
}
