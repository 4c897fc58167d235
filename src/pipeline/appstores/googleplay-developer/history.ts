import type { MalformedRow } from '../../../model/malformed-row.ts'
import { storableText } from '../../../model/storable-text.ts'
import { type CsvEncoding, type CsvRecord, encodingOf, recordsOf } from '../../../runtime/csv.ts'
import { failed } from '../official/failure.ts'
import type { GooglePlayCredentials, HistoryPage, OfficialContext, OfficialReview } from '../official.ts'
import { pageRowsOf, type RowRead } from '../review-page-rows.ts'
import type { GooglePlayState } from './deps.ts'
import { columnsOf, type ReportColumns, readReportRow } from './report-rows.ts'
import { bucketOf, listReports, type Report, readPart } from './reports.ts'

/** Bytes of a part, which is one page: about a thousand reviews, so that a commit is short. */
const PART_BYTES = 256 * 1024
/** More reports than months since Google Play exists. */
const REPORTS_MAX = 1000

/** Where the next part starts. It has all that another process needs. */
type Place = {
  readonly name: string
  readonly generation: string
  readonly offset: number
  readonly encoding: CsvEncoding
  readonly columns: ReportColumns | null
}

/**
 * A part of the reports, oldest month first, so that a later copy of a review replaces an earlier one. A report that
 * was replaced meanwhile is read again from its start: repeated reviews are the rule, not an error.
 */
export async function historyPage(
  deps: GooglePlayState,
  query: {
    readonly credentials: GooglePlayCredentials
    readonly appId: string
    readonly cursor: string | null
  },
  context: OfficialContext,
): Promise<HistoryPage> {
  const { credentials, appId, cursor } = query
  if (credentials.reportsBucket === null) {
    return failed(
      'unsupported',
      'Google Play returns only the last seven days. For the history, add the bucket of the reports to the connection.',
      { field: 'reports_bucket' },
    )
  }
  const bucket = bucketOf(credentials.reportsBucket)
  if (bucket === null) return notABucket()
  const listed = await listReports(deps, { credentials, bucket, appId, limit: REPORTS_MAX }, context)
  if (listed.kind === 'failed') return listed
  const place = cursor === null ? null : placeOf(cursor)
  const { reports } = listed
  const index = place === null ? 0 : reports.findIndex((report) => report.name >= place.name)
  const report = reports[index]
  if (report === undefined)
    return { kind: 'ok', reviews: [], next: null, ratingsOnly: 0, malformed: [], progress: null }
  const isSame = place !== null && place.name === report.name && place.generation === report.generation
  const from = isSame ? place : startOf(report)
  const done = reports.slice(0, index).reduce((sum, one) => sum + one.bytes, 0)
  const total = reports.reduce((sum, one) => sum + one.bytes, 0)
  const read = await readPart(
    deps,
    { credentials, bucket, report, offset: from.offset, bytesMax: PART_BYTES },
    context,
  )
  if (read.kind === 'failed') return read
  if (read.kind === 'replaced') {
    // The next call lists the new version.
    const next = cursorOf({ ...startOf(report), generation: '' })
    return { kind: 'ok', reviews: [], next, ratingsOnly: 0, malformed: [], progress: { done, total } }
  }
  const rows = rowsOf(read.part, from, report)
  if (typeof rows === 'string') {
    const detail = `The report ${report.name} does not have the documented format: ${rows}.`
    return failed('changed', detail, { raw: rawPart(read.part, from) })
  }
  const next = rows.place ?? nextStart(reports[index + 1])
  const reached = rows.place === null ? report.bytes : rows.place.offset
  return {
    kind: 'ok',
    reviews: rows.reviews,
    next: next === null ? null : cursorOf(next),
    ratingsOnly: rows.ratingsOnly,
    malformed: rows.malformed,
    progress: { done: done + reached, total },
  }
}

const RAW_CHARS_MAX = 16 * 1024

function rawPart(part: Buffer, from: Place): string {
  const { encoding } = from.offset === 0 ? encodingOf(part) : from
  const text = part.toString(encoding === 'utf-16le' ? 'utf16le' : 'utf8')
  return storableText(text.slice(0, RAW_CHARS_MAX))
}

type PartRows = {
  readonly reviews: readonly OfficialReview[]
  readonly malformed: readonly MalformedRow[]
  readonly ratingsOnly: number
  /** Null at the end of the report. */
  readonly place: Place | null
}

/** The reviews of a part, or a sentence on how its format differs. */
function rowsOf(part: Buffer, from: Place, report: Report): PartRows | string {
  const isLast = from.offset + part.length >= report.bytes
  const { encoding, markBytes } = from.offset === 0 ? encodingOf(part) : { ...from, markBytes: 0 }
  let columns = from.columns
  let endsAt = 0
  let ratingsOnly = 0
  const reviews: OfficialReview[] = []
  const rows: RowRead[] = []
  for (const record of recordsOf(part.subarray(markBytes), encoding, isLast)) {
    endsAt = markBytes + record.endsAt
    if (columns === null) {
      const found = columnsOf(record.fields)
      if (typeof found === 'string') return found
      columns = found
      continue
    }
    const review = readReportRow(record.fields, columns)
    if (review === 'ratings_only') ratingsOnly += 1
    else {
      if (review.kind === 'parsed') reviews.push(review.value)
      rows.push(rowRead(record, review.kind === 'parsed' ? review.value : review.detail))
    }
  }
  const page = pageRowsOf(rows)
  if (typeof page === 'string') return page
  if (!isLast && endsAt === 0) return `a row has more than ${PART_BYTES} bytes`
  const place = { ...from, generation: report.generation, offset: from.offset + endsAt, encoding, columns }
  return { reviews, malformed: page.malformed, ratingsOnly, place: isLast ? null : place }
}

function rowRead({ fields }: CsvRecord, review: RowRead['review']): RowRead {
  return { raw: fields, reviewId: null, review }
}

function startOf(report: Report): Place {
  return { name: report.name, generation: report.generation, offset: 0, encoding: 'utf-16le', columns: null }
}

function nextStart(report: Report | undefined): Place | null {
  return report === undefined ? null : startOf(report)
}

function cursorOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Cursors come from `cursorOf`, so another text is a bug. */
function placeOf(cursor: string): Place {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Place
}

export function notABucket() {
  return failed(
    'bucket_not_found',
    'This is not the name of a bucket. Copy its URI in the Play Console → Download reports → Reviews: it looks like gs://pubsite_prod_rev_0123456789.',
    { field: 'reports_bucket' },
  )
}
