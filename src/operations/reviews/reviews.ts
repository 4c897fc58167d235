import type { TranslatedReview } from '../../model/review-translation.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { DeliveryStorage, DeliveryView } from '../../storage/port/deliveries.ts'
import type { ImportCounts } from '../../storage/port/imports.ts'
import type {
  ReportStorage,
  ReviewCursor,
  ReviewFilter,
  ReviewPage,
  ReviewRecord,
} from '../../storage/port/reports.ts'
import { type AuditDeps, auditOperations } from '../audit.ts'
import { accountPages } from '../pages.ts'
import { type EraseDeps, type ErasedBy, eraseReview } from './erase.ts'
import { type ImportDeps, type ImportedReview, importReviews } from './import.ts'
import { requireReview } from './require-review.ts'
import { type TranslationDeps, translate } from './translate.ts'

export type { ReviewCursor, ReviewFilter, ReviewRecord }

export type ReviewDeps = Omit<EraseDeps, 'audit'> &
  AuditDeps &
  ImportDeps &
  TranslationDeps & {
    readonly reports: Pick<ReportStorage, 'reviews' | 'countReviews' | 'review'>
    readonly accounts: Pick<AccountStorage, 'isActive'>
    readonly deliveries: Pick<DeliveryStorage, 'list'>
  }

/** Counting this many takes milliseconds, and larger numbers are of no use to readers. */
const COUNT_MAX = 10_000
const PAGE_ROWS = 500
/** Events shown of one review, one per hook. */
const EVENTS_MAX = 200

/** Reviews of the apps and markets that an account tracks or watches. */
export function reviewOperations(deps: ReviewDeps) {
  const { reports, deliveries } = deps
  return {
    /** Whether a model server can translate reviews. */
    translates: deps.translateReview !== null,
    /** The review in English. Throws `not_found`, and the errors of `translate`. */
    translate: async (accountId: string, fingerprint: string): Promise<TranslatedReview> =>
      translate(deps, accountId, await requireReview(reports, accountId, fingerprint)),

    /** Newest first by publication. */
    list: (
      accountId: string,
      filter: ReviewFilter,
      page: { readonly limit: number; readonly before: ReviewCursor | null },
    ): Promise<ReviewPage> => reports.reviews(accountId, filter, page),

    /** The number of matching reviews, up to 10,000; `more` is true when there are more. */
    async count(
      accountId: string,
      filter: ReviewFilter,
    ): Promise<{ readonly count: number; readonly more: boolean }> {
      const count = await reports.countReviews(accountId, filter, COUNT_MAX + 1)
      return { count: Math.min(count, COUNT_MAX), more: count > COUNT_MAX }
    },

    /** All matching reviews, newest first, in pages. */
    async *pages(accountId: string, filter: ReviewFilter): AsyncGenerator<readonly ReviewRecord[]> {
      const read = (before: ReviewCursor | null) =>
        reports.reviews(accountId, filter, { limit: PAGE_ROWS, before })
      const all = accountPages(deps.accounts, accountId, read, ({ next }) => next)
      for await (const { reviews } of all) yield reviews
    },

    /**
     * Adds history that only this account sees, without creating events. Throws `invalid` for an app or a market that the account does not
     * track and for a date in the future, and `rate_limited` above the rows of a day, and then stores nothing.
     */
    import: (accountId: string, rows: readonly ImportedReview[]): Promise<ImportCounts> =>
      importReviews(deps, accountId, rows),

    /**
     * Erases the texts of one review for good, with an audit entry in each account that lost something. Throws `not_found`, and `forbidden`
     * for a public one unless the operator calls.
     */
    erase: (accountId: string, fingerprint: string, by: ErasedBy): Promise<void> =>
      eraseReview({ ...deps, audit: auditOperations(deps) }, accountId, fingerprint, by),

    /** A review with its events for hooks of the account. Throws `not_found`. */
    async get(
      accountId: string,
      fingerprint: string,
    ): Promise<{ readonly review: ReviewRecord; readonly events: readonly DeliveryView[] }> {
      const review = await requireReview(reports, accountId, fingerprint)
      const filter = { occurrenceId: review.fingerprint }
      const events = await deliveries.list(accountId, filter, { limit: EVENTS_MAX, before: null })
      return { review, events }
    },
  }
}
