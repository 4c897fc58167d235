import { hashOf } from '../../../model/canonical.ts'
import { storableText } from '../../../model/storable-text.ts'
import type { OfficialReview } from '../official.ts'
import { changed, type Parsed, parsed, textOf } from '../parsed.ts'
import { languageOf, publicReviewIdsOf } from './review-rows.ts'

/** The columns of a monthly report that are used, by their names in the header. */
const COLUMNS = {
  appVersion: 'App Version Name',
  language: 'Reviewer Language',
  device: 'Device',
  submittedMs: 'Review Submit Millis Since Epoch',
  updatedMs: 'Review Last Update Millis Since Epoch',
  rating: 'Star Rating',
  title: 'Review Title',
  body: 'Review Text',
  repliedMs: 'Developer Reply Millis Since Epoch',
  reply: 'Developer Reply Text',
  link: 'Review Link',
} as const
type Column = keyof typeof COLUMNS

/** Without these a row is not a review. The others may be missing: reports before 2016 had other columns. */
const REQUIRED: readonly Column[] = ['updatedMs', 'rating', 'body', 'link']

/** The position of each column; -1 for a missing one. */
export type ReportColumns = Readonly<Record<Column, number>>

/** The columns of a header, or a sentence on what is missing. */
export function columnsOf(header: readonly string[]): ReportColumns | string {
  const names = header.map((name) => name.trim())
  const entries = Object.entries(COLUMNS).map(([column, name]) => [column, names.indexOf(name)])
  const columns = Object.fromEntries(entries) as ReportColumns
  const missing = REQUIRED.filter((column) => columns[column] < 0)
  if (missing.length === 0) return columns
  return `the header has no column ${missing.map((column) => `"${COLUMNS[column]}"`).join(', ')}`
}

/** One row as a review; `ratings_only` without a title and a text. */
export function readReportRow(
  fields: readonly string[],
  columns: ReportColumns,
): Parsed<OfficialReview> | 'ratings_only' {
  const field = (column: Column) => textOf(fields[columns[column]]?.trim())
  const title = field('title')
  const body = field('body')
  if (title === null && body === null) return 'ratings_only'
  const rating = field('rating') ?? ''
  if (!/^[1-5]$/.test(rating))
    return changed(`a row has no 1 to 5 stars but ${JSON.stringify(rating.slice(0, 20))}`)
  const shownAt = instantOfMs(field('updatedMs'))
  if (shownAt === null) return changed('a row has no date of its last update')
  const submittedAt = instantOfMs(field('submittedMs'))
  const reply = field('reply')
  const reviewId = reviewIdOf(field('link') ?? '')
  return parsed({
    reviewId:
      reviewId ??
      madeUpId(field('submittedMs') ?? field('updatedMs') ?? '', field('device'), field('language')),
    rating: Number(rating),
    title,
    body: body ?? '',
    author: null,
    appVersion: field('appVersion'),
    shownAt,
    edited: submittedAt === null ? null : shownAt.getTime() !== submittedAt.getTime(),
    territory: null,
    storefront: null,
    language: languageOf(field('language')),
    submittedAt,
    publicReviewIds: reviewId === null ? [] : publicReviewIdsOf(reviewId),
    reply:
      reply === null
        ? null
        : { replyId: null, text: reply, state: 'published', updatedAt: instantOfMs(field('repliedMs')) },
  })
}

/** `reviewId=…` in the query of the link, or `reviewid=…` after its hash in reports of 2018. */
function reviewIdOf(link: string): string | null {
  const found = /[?&#]reviewid=([^&#\s]+)/i.exec(link)?.[1]
  if (found === undefined) return null
  try {
    return textOf(decodeURIComponent(found))
  } catch {
    return storableText(found)
  }
}

/** A stable id for a text without a link. */
function madeUpId(...parts: readonly (string | null)[]): string {
  return `report:${hashOf(['report row', ...parts.map((part) => part ?? '')]).slice(0, 32)}`
}

function instantOfMs(value: string | null): Date | null {
  return value !== null && /^[1-9]\d{9,13}$/.test(value) ? new Date(Number(value)) : null
}
