import type { Clock } from '../../runtime/clock.ts'
import type { Erased, ErasureStorage, ErasureTarget, SearchedPart } from '../../storage/port/erasures.ts'
import type { ReportStorage } from '../../storage/port/reports.ts'
import { type AuditOperations, type AuditRecord, commandActor } from '../audit.ts'
import { OperationError } from '../error.ts'
import { requireReview } from './require-review.ts'

export type { ErasureTarget }

export type EraseDeps = {
  readonly reports: Pick<ReportStorage, 'review'>
  readonly erasures: ErasureStorage
  readonly audit: Pick<AuditOperations, 'record'>
}

/** Who erases a review, as the audit log of their account names them. */
export type ErasedBy = Pick<AuditRecord, 'actor' | 'clientAddress'> & { readonly isOperator: boolean }

const ANSWERS_PER_STEP = 1_000
/** Between two commits, so that other writes never stall behind them. */
const PAUSE_MS = 20

/**
 * Erases the texts of one review. Its own copy of a review each account erases; those of the public pages, which all accounts share, only
 * the operator. Throws `not_found` and `forbidden`.
 */
export async function eraseReview(
  { reports, erasures, audit }: EraseDeps,
  accountId: string,
  fingerprint: string,
  by: ErasedBy,
): Promise<void> {
  const { source } = await requireReview(reports, accountId, fingerprint)
  if (source === 'public' && !by.isOperator) {
    throw new OperationError(
      'forbidden',
      'Public reviews are shared by all accounts. Only the operator can erase them, in the console or with "radar erase".',
    )
  }
  const { accounts } = await erasures.erase(fingerprint, source === 'public' ? null : accountId)
  const { actor, clientAddress } = by
  const record = recorder(audit, fingerprint, (each) =>
    each === accountId ? { actor, clientAddress } : OPERATOR,
  )
  await record([accountId, ...accounts])
}

type By = Pick<AuditRecord, 'actor' | 'clientAddress'>

/** What other accounts see of the operator: neither name nor address. */
const OPERATOR: By = commandActor('operator')

/** Records `review.erased` once in the log of each account that lost something. The detail is empty: counts are of all accounts. */
function recorder(
  audit: EraseDeps['audit'],
  target: string | null,
  byIn: (accountId: string) => By,
): (accounts: readonly string[]) => Promise<void> {
  const recorded = new Set<string>()
  return async (accounts) => {
    for (const accountId of accounts) {
      if (recorded.has(accountId)) continue
      recorded.add(accountId)
      await audit.record({ ...byIn(accountId), accountId, action: 'review.erased', target, detail: null })
    }
  }
}

/**
 * For the operator. Each review is one commit, so that a killed command loses nothing; called again, it continues. All cached answers go at
 * the end, so that no review searches them. An account has its audit
 * entry as soon as it lost something.
 */
export async function eraseMatching(
  { erasures, audit, clock }: Pick<EraseDeps, 'erasures' | 'audit'> & { readonly clock: Clock },
  target: ErasureTarget | { readonly fingerprint: string },
  command: string,
): Promise<Omit<Erased, 'accounts'>> {
  const total = { reviews: 0, events: 0 }
  const record = recorder(audit, nameOf(target), () => commandActor(command))
  const erase = async (fingerprint: string) => {
    const { reviews, events, accounts } = await erasures.erase(fingerprint, null, 'keep')
    total.reviews += reviews
    total.events += events
    await record(accounts)
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
  return total
}

/** For the audit log, which must not have the name of an author. */
function nameOf(target: ErasureTarget | { readonly fingerprint: string }): string | null {
  if ('fingerprint' in target) return target.fingerprint
  return target.appId === undefined ? null : `${target.store}/${target.appId}`
}

/**
 * The cache of a model server has summaries, but not of which review. Only the operator empties it: other accounts would have to pay for
 * the same requests again.
 */
async function forgetAnswers(erasures: ErasureStorage): Promise<void> {
  while ((await erasures.forgetAnswers(ANSWERS_PER_STEP)) > 0);
}
