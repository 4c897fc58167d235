import type { Routes } from '../../contract/routes.ts'
import type { ExportedReview, ReviewFilterQuery, ReviewRow } from '../../contract/v1/reviews.ts'
import type { Operations } from '../../operations/operations.ts'
import type { ReviewCursor, ReviewFilter, ReviewRecord } from '../../operations/reviews/reviews.ts'
import { requireTag } from '../../operations/reviews/triage.ts'
import { addressOf } from '../client-address.ts'
import { sendExport } from '../export.ts'
import { numbersOf } from '../page.ts'
import { actorOf } from '../record-call.ts'
import { REVIEW_COLUMNS, reviewCells } from '../review-table.ts'
import { type Caller, isMember, type Route } from '../route.ts'
import { apiRoute } from './route.ts'
import { presentTriage, presentTriageDetail, userOf } from './triage.ts'

export type ReviewRouteDeps = { readonly operations: Pick<Operations, 'reviews' | 'triage'> }

const TABLE = { columns: REVIEW_COLUMNS, cellsOf: reviewCells, jsonOf: presentExported }

export function reviewRoutes(table: Routes, { operations: { reviews, triage } }: ReviewRouteDeps) {
  return {
    list_reviews: apiRoute(table.list_reviews, async ({ caller, query: { cursor, limit, ...query } }) => {
      const before = cursor === undefined ? null : cursorOf(cursor)
      const page = await reviews.list(caller.accountId, reviewFilterOf(query, caller), {
        limit,
        before,
      })
      const names = await triage.assigneesOf(page.reviews.map((review) => review.triage))
      return {
        data: page.reviews.map((review) => presentReview(review, names)),
        next_cursor: page.next && `${page.next.occurredAtMs}.${page.next.seq}`,
      }
    }),

    count_reviews: apiRoute(table.count_reviews, ({ caller, query }) =>
      reviews.count(caller.accountId, reviewFilterOf(query, caller)),
    ),

    export_reviews: apiRoute(table.export_reviews, async ({ caller, query: { format, ...query }, reply }) =>
      sendExport(
        reply,
        'reviews',
        format,
        TABLE,
        reviews.pages(caller.accountId, reviewFilterOf(query, caller)),
      ),
    ),

    import_reviews: apiRoute(table.import_reviews, ({ caller, rows }) =>
      reviews.import(
        caller.accountId,
        rows.map(({ app_id, review_id, app_version, occurred_at, ...row }) => ({
          ...row,
          appId: app_id,
          reviewId: review_id,
          appVersion: app_version,
          occurredAt: occurred_at,
        })),
      ),
    ),

    get_review: apiRoute(table.get_review, async ({ caller, param }) => {
      const { review, events } = await reviews.get(caller.accountId, param('fingerprint'))
      return {
        ...presentExported(review),
        triage: presentTriageDetail(review.triage, await triage.assigneesOf([review.triage])),
        enriched_by: review.enrichedBy,
        enrichment_failure: review.enrichmentFailure,
        events: events.map(({ eventId, hookId, hookName, targetUrl, status, attempts }) => ({
          event_id: eventId,
          hook_id: hookId,
          hook_name: hookName,
          target_url: targetUrl,
          status,
          attempts,
        })),
      }
    }),

    erase_review: apiRoute(table.erase_review, async ({ caller, param, request }) => {
      const isOperator = isMember(caller) && caller.operator
      const by = { actor: actorOf(caller), clientAddress: addressOf(request), isOperator }
      await reviews.erase(caller.accountId, param('fingerprint'), by)
      return undefined
    }),

    translate_review: apiRoute(table.translate_review, ({ caller, param }) =>
      reviews.translate(caller.accountId, param('fingerprint')),
    ),
  } as const satisfies Record<string, Route>
}

/** The filter of a list or an export. */
function reviewFilterOf({ assignee, tag, ...query }: ReviewFilterQuery, caller: Caller): ReviewFilter {
  return {
    ...publicFilterOf(query),
    assignee: assignee === undefined ? undefined : assignee === 'nobody' ? null : userOf(assignee, caller),
    tag: tag === undefined ? undefined : requireTag('tag', tag),
  }
}

/** The filter without what it says of members. */
export function publicFilterOf(query: Omit<ReviewFilterQuery, 'assignee' | 'tag'>): ReviewFilter {
  const { app_id, country, app_version, feature_slug, is_bug_report, is_feature_request, ...rest } = query
  return {
    ...rest,
    appId: app_id,
    storefronts: country && [country],
    version: app_version,
    feature: feature_slug,
    bug: is_bug_report,
    request: is_feature_request,
  }
}

function cursorOf(text: string): ReviewCursor {
  const [occurredAtMs, seq] = numbersOf(text)
  return { occurredAtMs, seq }
}

/** `names`: of the assignees. */
export function presentReview(review: ReviewRecord, names: ReadonlyMap<string, string>): ReviewRow {
  return { ...presentExported(review), triage: presentTriage(review.triage, names) }
}

function presentExported(review: ReviewRecord): ExportedReview {
  return {
    fingerprint: review.fingerprint,
    store: review.store,
    app_id: review.appId,
    app_name: review.appName,
    market: review.market,
    review_id: review.reviewId,
    rating: review.rating,
    title: review.title,
    body: review.body,
    author: review.author,
    app_version: review.appVersion,
    content_hash: review.contentHash,
    is_edited: review.edited,
    occurred_at: review.occurredAt.toISOString(),
    observed_at: review.observedAt.toISOString(),
    source: review.source,
    is_imported: review.isImported,
    public_reply: review.publicReply && {
      text: review.publicReply.text,
      replied_at: review.publicReply.at?.toISOString() ?? null,
    },
    answer_state: review.answerState,
    enrichment: review.enrichment && { ...review.enrichment, themes: [...review.enrichment.themes] },
  }
}
