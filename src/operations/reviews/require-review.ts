import { NO_REVIEW } from '../../model/review.ts'
import type { ReviewRecord } from '../../storage/port/reports.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { OperationError } from '../error.ts'

export function noReview(): OperationError {
  return new OperationError('not_found', NO_REVIEW)
}

/** A review that the account may see. Throws `not_found` for any other. */
export async function requireReview(
  reports: Pick<Storage['reports'], 'review'>,
  accountId: string,
  fingerprint: string,
): Promise<ReviewRecord> {
  const review = await reports.review(accountId, fingerprint)
  if (review !== null) return review
  throw noReview()
}
