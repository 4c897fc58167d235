import type { TranslatedReview, TranslateReview } from '../../model/review-translation.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReviewRecord } from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'

export type TranslationDeps = {
  /** Null without a model server. */
  readonly translateReview: TranslateReview | null
  readonly limits: Pick<AccountGuard, 'translation'>
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
  readonly clock: Clock
}

/**
 * The review in English, by the model server. Throws `conflict` without one, `rate_limited` at a limit, and `unavailable` when it fails.
 */
export async function translate(
  { translateReview, limits, stopping, clock }: TranslationDeps,
  accountId: string,
  review: ReviewRecord,
): Promise<TranslatedReview> {
  if (translateReview === null) throw new OperationError('conflict', NO_MODEL)
  limits.translation(accountId)
  const { title, body, enrichment } = review
  const result = await translateReview({ title, body, language: enrichment?.language ?? null }, stopping)
  if (result.kind === 'translated') return { title: result.title, body: result.body }
  if (result.kind === 'daily_limit') {
    const retryAfterS = Math.ceil((DAY_MS - (clock.now().getTime() % DAY_MS)) / 1_000)
    throw new OperationError('rate_limited', DAILY_LIMIT, { retryAfterS })
  }
  if (result.kind === 'paused') {
    const retryAfterS = Math.max(1, Math.ceil(result.waitMs / 1_000))
    throw new OperationError('unavailable', pausedFor(retryAfterS), { retryAfterS })
  }
  throw new OperationError('unavailable', `${result.problem} Try again.`, { retryAfterS: RETRY_S })
}

const DAY_MS = 24 * 3_600_000
const RETRY_S = 10
const NO_MODEL = 'This installation has no model server, which translations need (RADAR_ENRICHMENT=llm).'
const DAILY_LIMIT =
  'The installation has used its requests to the model server for today (RADAR_LLM_DAILY_LIMIT).'
const pausedFor = (seconds: number) =>
  `The model server failed repeatedly, so translations are paused. Try again in ${seconds} s.`
