import type { ReviewRecord } from '../../storage/port/reports.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { OperationError } from '../error.ts'

/** A review that the account may see. Throws `not_found` for any other. */
export async function requireReview(
  reports: Pick<Storage['reports'], 'review'>,
  accountId: string,
  fingerprint: string,
): Promise<ReviewRecord> {
  const review = await reports.review(accountId, fingerprint)
  if (review !== null) return review
  throw new OperationError('not_found', 'The account has no review with this fingerprint.')
}
