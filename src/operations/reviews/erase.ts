import type { Clock } from '../../runtime/clock.ts'
import type { Erased, ErasureStorage, ErasureTarget, SearchedPart } from '../../storage/port/erasures.ts'
import type { ReportStorage } from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import { requireReview } from './require-review.ts'

export type { ErasureTarget }

export type EraseDeps = {
  readonly reports: Pick<ReportStorage, 'review'>
  readonly erasures: ErasureStorage
}

const ANSWERS_PER_STEP = 1_000
/** Between two commits, so that other writes never stall behind them. */
const PAUSE_MS = 20

/**
 * Erases the texts of one review. Its own copy of a review each account erases; those of the public pages, which all accounts share, only the
 * operator. Throws `not_found` and `forbidden`.
 */
export async function eraseReview(
  { reports, erasures }: EraseDeps,
  accountId: string,
  fingerprint: string,
  { isOperator }: { readonly isOperator: boolean },
): Promise<void> {
  const { source } = await requireReview(reports, accountId, fingerprint)
  if (source === 'public' && !isOperator) {
    throw new OperationError(
      'forbidden',
      'Reviews of the public pages belong to all accounts of this installation. Its operator erases them, in the console or with "radar erase".',
    )
  }
  await erasures.erase(fingerprint, source === 'public' ? null : accountId)
}

/** For the operator. Each review is one commit, so that a killed command loses nothing; called again, it continues. */
export async function eraseMatching(
  { erasures, clock }: Pick<EraseDeps, 'erasures'> & { readonly clock: Clock },
  target: ErasureTarget | { readonly fingerprint: string },
): Promise<Erased> {
  const total = { reviews: 0, events: 0, accounts: new Set<string>() }
  const erase = async (fingerprint: string) => {
    const { reviews, events, accounts } = await erasures.erase(fingerprint, null)
    total.reviews += reviews
    total.events += events
    for (const each of accounts) total.accounts.add(each)
    await clock.sleep(PAUSE_MS)
  }
  if ('fingerprint' in target) await erase(target.fingerprint)
  else
    for (const search of [erasures.reviewsOf, erasures.eventsOf])
      for (let after: number | null = 0; after !== null; ) {
        const part: SearchedPart = await search(target, after)
        for (const fingerprint of part.fingerprints) await erase(fingerprint)
        after = part.next
      }
  await forgetAnswers(erasures)
  return { ...total, accounts: [...total.accounts].sort() }
}

/**
 * The cache of a model server has summaries, but not of which review. Only the operator empties it: other accounts would have to pay for the
 * same requests again.
 */
async function forgetAnswers(erasures: ErasureStorage): Promise<void> {
  while ((await erasures.forgetAnswers(ANSWERS_PER_STEP)) > 0);
}
