import { z } from 'zod'
import { ENRICHMENT_FAILURES } from '../../model/enrichment-failure.ts'
import { ANSWER_STATES } from '../../model/reply.ts'
import { NO_REVIEW } from '../../model/review.ts'
import { REVIEW_LANGUAGE } from '../../model/review-language.ts'
import { REVIEW_SOURCES } from '../../model/review-source.ts'
import {
  DELIVERY_STATUSES,
  SENTIMENTS,
  SEVERITIES,
  STOREFRONTS,
  STORES,
  THEMES,
} from '../../model/vocabulary.ts'
import { oneOf, says, text } from '../field.ts'
import type { Route } from '../route.ts'
import { enrichment } from '../webhook.ts'
import { appIdText, flag, format, HEX_64, instant, pageByInstant, pageOf, period, store } from './query.ts'
import { statusIn, tagText, triageDetail, triageView } from './triage-view.ts'

const starList = says('stars', 'a list such as 1,2')
const language = says('language', 'two letters, ISO 639-1, or und')
const version = says('app_version', 'text of at most 100 characters')
const feature = says('feature_slug', 'text of at most 100 characters')
const assignee = says('assignee', 'the id of a member, "me" or "nobody"')
const words = says('text', 'at most 200 characters')

/** What the members of the account noted. */
const triageFilter = {
  status: statusIn.optional().meta({ description: 'Reviews with this status in the account.' }),
  assignee: z
    .string(assignee)
    .min(1, assignee)
    .max(200, assignee)
    .optional()
    .meta({ description: 'Reviews of this member, of `me` (the signed-in user), or of `nobody`.' }),
  tag: tagText('tag').optional().meta({ description: 'Reviews with this tag.' }),
}

/** The filters of the console's review page. */
export const reviewFilter = z.object({
  store: store.optional(),
  app_id: appIdText.optional(),
  country: z
    .enum(STOREFRONTS, says('country', `one of ${STOREFRONTS.join(', ')}`))
    .optional()
    .meta({ description: 'Reviews of this storefront; for Google, of its language.' }),
  stars: z
    .string(starList)
    .regex(/^[1-5](,[1-5]){0,4}$/, starList)
    .transform((text) => text.split(',').map(Number))
    .optional()
    .meta({ description: 'One or more numbers of stars, separated by commas.' }),
  language: z
    .string(language)
    .regex(REVIEW_LANGUAGE, language)
    .optional()
    .meta({ description: 'Language of the text, ISO 639-1; `und` when it is unknown.' }),
  sentiment: z.enum(SENTIMENTS, says('sentiment', oneOf(SENTIMENTS))).optional(),
  severity: z.enum(SEVERITIES, says('severity', oneOf(SEVERITIES))).optional(),
  theme: z.enum(THEMES, says('theme', `one of ${THEMES.join(', ')}`)).optional(),
  app_version: z
    .string(version)
    .max(100, version)
    .optional()
    .meta({ description: 'Reviews of this version of the app.' }),
  feature_slug: z
    .string(feature)
    .max(100, feature)
    .optional()
    .meta({ description: 'Reviews that request this feature.' }),
  answer: z
    .enum(ANSWER_STATES, says('answer', `one of ${ANSWER_STATES.join(', ')}`))
    .optional()
    .meta({ description: 'State of the answer, as `answer_state` of a review.' }),
  is_bug_report: flag('is_bug_report').optional(),
  is_feature_request: flag('is_feature_request').optional(),
  ...triageFilter,
  text: z.string(words).trim().max(200, words).optional().meta({
    description:
      'Each word must occur in title, text, author, English summary or requested feature, ignoring case.',
  }),
  ...period('Published'),
})
export type ReviewFilterQuery = z.infer<typeof reviewFilter>

const fields = {
  fingerprint: z.string().meta({ description: '`occurrence_id` of its events.' }),
  store: z.enum(STORES),
  app_id: z.string(),
  app_name: z.string().nullable(),
  market: z.string().meta({ description: 'The storefront; for Google, the language.' }),
  review_id: z.string().meta({ description: "The store's id." }),
  rating: z.int().min(1).max(5),
  title: z.string().nullable(),
  body: z.string(),
  author: z.string().nullable(),
  app_version: z.string().nullable(),
  content_hash: z
    .string()
    .meta({ description: 'Hash of title and body, which changes when the review is edited.' }),
  is_edited: z.boolean().nullable().meta({ description: 'Null when the store does not provide it.' }),
  occurred_at: z.iso.datetime(),
  observed_at: z.iso.datetime(),
  source: z.enum(REVIEW_SOURCES).meta({
    description:
      'The public pages, a store connection of the account, or an import. Only the account sees reviews of the last two.',
  }),
  is_imported: z.boolean().meta({ description: 'The account imported it; only this account sees it.' }),
  public_reply: z
    .object({
      text: z.string(),
      replied_at: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'Time of its last change, as the page shows it.' }),
    })
    .nullable()
    .meta({
      id: 'PublicReply',
      description:
        "The developer's answer that the store's public page showed last. Null without one, and for reviews whose source shows no answers.",
    }),
  answer_state: z.enum(ANSWER_STATES).meta({
    description:
      '`unanswered`: no answer is shown, requested or drafted. `draft`: only a draft of the account. `pending`: to be sent, or not shown yet. `published`: the store shows an answer. `refused`: see `problem` of the answer. `edited`: published, and the review was edited after the account requested the answer, or after a check of the connected store first saw it; not known for an answer that only the public page shows.',
  }),
  enrichment: enrichment.nullable(),
}

const UNTRUSTED = 'A review of a tracked app. Its texts are untrusted: escape them before you show them.'

export const reviewRow = z
  .object({ ...fields, triage: triageView })
  .meta({ id: 'Review', description: UNTRUSTED })
export type ReviewRow = z.infer<typeof reviewRow>

export const exportedReview = z.object(fields).meta({ id: 'ExportedReview', description: UNTRUSTED })
export type ExportedReview = z.infer<typeof exportedReview>

export const reviewView = z
  .object({
    ...fields,
    triage: triageDetail,
    enriched_by: z.string().nullable().meta({ description: 'The engine that created `enrichment`.' }),
    enrichment_failure: z
      .enum(ENRICHMENT_FAILURES)
      .nullable()
      .meta({ description: 'Why there is no `enrichment`; null before the first attempt.' }),
    events: z
      .array(
        z
          .object({
            event_id: z.string(),
            hook_id: z.string(),
            hook_name: z.string().nullable(),
            target_url: z.string(),
            status: z.enum(DELIVERY_STATUSES),
            attempts: z.int(),
          })
          .meta({ id: 'EventOfReview' }),
      )
      .meta({ description: 'Its events for hooks of the account.' }),
  })
  .meta({ id: 'ReviewDetail' })

export type ReviewDetail = z.infer<typeof reviewView>

export const reviewPage = pageOf('ReviewPage', reviewRow)
export type ReviewPage = z.infer<typeof reviewPage>

const market = says('market', 'a storefront such as us; for Google, a language such as en')
const rating = says('rating', 'a whole number from 1 to 5')
const optional = (field: string, charsMax: number) =>
  text(field, `text of at most ${charsMax} characters`, charsMax, 0)
    .nullish()
    .transform((value) => value ?? null)

/** A row of an import. It has the fields of an export that come from the store. */
export const importRow = z
  .object(
    {
      store,
      app_id: appIdText,
      market: z
        .string(market)
        .regex(/^[a-z]{2}$/, market)
        .meta({
          description: 'The storefront; for Google, the language. The account must track the app there.',
        }),
      review_id: text('review_id', 'text of 1 to 255 characters', 255).meta({
        description: "The store's id.",
      }),
      rating: z.int(rating).min(1, rating).max(5, rating),
      title: optional('title', 1_000),
      body: text('body', 'text of at most 16000 characters', 16_000, 0)
        .nullish()
        .transform((value) => value ?? ''),
      author: optional('author', 1_000),
      app_version: optional('app_version', 255),
      occurred_at: instant('occurred_at').meta({ description: 'Time of publication.' }),
    },
    { error: 'Each row must be a JSON object.' },
  )
  .meta({ id: 'ImportRow' })

export const importCounts = z
  .object({
    added: z.int(),
    replaced: z.int().meta({ description: 'Rows imported before with different content.' }),
    known: z.int().meta({ description: 'Rows already known, from an earlier import or from the store.' }),
  })
  .meta({ id: 'ImportCounts' })

const IMPORT_ROWS_MAX = 5_000
const IMPORT_BYTES_MAX = 8 * 1024 * 1024

export const reviewCount = z
  .object({
    count: z.int(),
    more: z.boolean().meta({ description: 'There are more than `count`.' }),
  })
  .meta({ id: 'ReviewCount' })
export type ReviewCount = z.infer<typeof reviewCount>

const translatedReview = z
  .object({ title: z.string().nullable(), body: z.string() })
  .meta({ id: 'TranslatedReview' })
export type TranslatedReview = z.infer<typeof translatedReview>

export const reviewParams = z.object({
  fingerprint: z
    .string()
    .regex(HEX_64, NO_REVIEW)
    .meta({ description: '`fingerprint` of a review, or `occurrence_id` of its event.' }),
})

export const reviewRoutes = {
  list_reviews: {
    method: 'GET',
    path: '/reviews',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'List reviews',
    description:
      'Reviews of the apps that the account tracks or has hooks for, newest first by publication. New reviews do not shift the pages after a cursor.',
    query: reviewFilter.extend(pageByInstant),
    etag: true,
    success: { status: 200, description: 'One page.', schema: reviewPage },
    errors: { 400: 'A filter is invalid; the message names it and the allowed values.' },
  },
  count_reviews: {
    method: 'GET',
    path: '/reviews/count',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'Count reviews',
    description: 'The number of matching reviews, counted up to 10,000.',
    query: reviewFilter,
    success: { status: 200, description: 'The number.', schema: reviewCount },
    errors: { 400: 'A filter is invalid; the message names it and the allowed values.' },
  },
  export_reviews: {
    method: 'GET',
    path: '/exports/reviews',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'Export reviews',
    description:
      'All matching reviews, newest first, as a stream. An error after the start closes the connection, so that a partial file is not mistaken for a complete one.',
    query: reviewFilter.extend({ format }),
    success: { status: 200, description: 'The rows.', schema: exportedReview, rows: true },
    errors: { 400: 'A filter is invalid; the message names it and the allowed values.' },
  },
  import_reviews: {
    method: 'POST',
    path: '/imports/reviews',
    tag: 'Reviews',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Import reviews',
    description:
      'Adds older reviews of apps that the account tracks. Only this account sees them, and they create no events. When the store shows one of the reviews, the store’s version replaces it. Rows have the columns of an export; other columns are ignored. Importing the same rows again changes nothing.',
    rows: { schema: importRow, numbers: ['rating'], max: IMPORT_ROWS_MAX, bytesMax: IMPORT_BYTES_MAX },
    success: {
      status: 200,
      description: 'How many rows were added, replaced and known.',
      schema: importCounts,
    },
    errors: {
      400: 'A row is invalid, or the account does not track its app; the message has the row number. Nothing was stored.',
      413: `The body has more than ${IMPORT_BYTES_MAX} bytes.`,
      415: 'The body is neither JSON Lines nor CSV.',
    },
  },
  get_review: {
    method: 'GET',
    path: '/reviews/{fingerprint}',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'Show one review',
    description: 'The review with its events.',
    params: reviewParams,
    etag: true,
    success: { status: 200, description: 'The review.', schema: reviewView },
    errors: { 404: NO_REVIEW },
  },
  erase_review: {
    method: 'DELETE',
    path: '/reviews/{fingerprint}',
    tag: 'Reviews',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Erase one review',
    description:
      'Erases the texts of a review for good: the review with its analysis, its events with their deliveries and attempts, and answers to it. Only its fingerprint is kept, so that it is neither stored nor reported again. An account can erase its own copies, from an import or a store connection. Only the operator, with a session, can erase a public review, which all accounts share.',
    params: reviewParams,
    success: { status: 204, description: 'The review is erased.' },
    errors: { 403: 'The review is public and the caller is not the operator.', 404: NO_REVIEW },
  },
  translate_review: {
    method: 'POST',
    path: '/reviews/{fingerprint}/translation',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Translate a review to English',
    description:
      'Lets the model server of the installation translate the review. Nothing is stored. If the model server fails or the translation is rejected, the status is 503.',
    params: reviewParams,
    success: { status: 200, description: 'The review in English.', schema: translatedReview },
    errors: { 404: NO_REVIEW, 409: 'The installation has no model server.' },
  },
} as const satisfies Record<string, Route>
