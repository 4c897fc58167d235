import { knownLanguage } from '../../model/review-language.ts'
import type { TranslatedReview, TranslateReview } from '../../model/review-translation.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReviewRecord } from '../../storage/port/reports.ts'
import type { AccountGuard } from '../limits.ts'
import { errorOfRefusal, noModel } from '../model-refusal.ts'

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
  if (translateReview === null) throw noModel('translations')
  limits.translation(accountId)
  const { title, body, enrichment } = review
  const result = await translateReview({ title, body, language: knownLanguage(enrichment) }, stopping)
  if (result.kind === 'translated') return { title: result.title, body: result.body }
  throw errorOfRefusal(result, clock.now(), 'translations')
}
