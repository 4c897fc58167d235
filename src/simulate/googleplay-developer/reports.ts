import { shownAtOf, type World, type WorldReview } from '../world.ts'

/** The monthly reports of a bucket: CSV in UTF-16 with a byte order mark, in which quotes may contain line ends. */

const HEADER = [
  'Package Name',
  'App Version Code',
  'App Version Name',
  'Reviewer Language',
  'Device',
  'Review Submit Date and Time',
  'Review Submit Millis Since Epoch',
  'Review Last Update Date and Time',
  'Review Last Update Millis Since Epoch',
  'Star Rating',
  'Review Title',
  'Review Text',
  'Developer Reply Date and Time',
  'Developer Reply Millis Since Epoch',
  'Developer Reply Text',
  'Review Link',
]

/** Files by name. `setReport` replaces or adds to the generated ones. */
export function reportsOf(
  world: World,
  bucket: string,
  appIds: readonly string[],
  at: Date,
): ReadonlyMap<string, Buffer> {
  const generated = appIds.flatMap((appId) => [...generatedReports(world, appId, at)])
  return new Map([...generated, ...world.official.reports(bucket)])
}

/**
 * A review is in the report of every month in which it or its reply changed, as it was at the end of that month. The
 * newest days are missing.
 */
function generatedReports(world: World, appId: string, at: Date): ReadonlyMap<string, Buffer> {
  const until = at.getTime() - world.official.settings().reportLagMs
  const months = new Map<string, string[]>()
  const all = world
    .reviewsOfApp({ store: 'google', appId })
    .flatMap(({ market, reviews }) => reviews.map((review) => ({ language: market, review })))
    .sort((a, b) => a.review.publishedAt.getTime() - b.review.publishedAt.getTime())
  for (const { language, review } of all) {
    const reply = world.official.reply({ store: 'google', appId, reviewId: review.id })
    for (const [month, version] of versionsByMonth(review, reply?.writtenAt ?? null, until)) {
      const isReplied =
        reply !== null && monthOf(reply.writtenAt) <= month && reply.writtenAt.getTime() <= until
      const shown = isReplied ? reply : null
      const rows = months.get(month) ?? []
      rows.push(csvRow(rowOf(appId, language, review, version, shown)))
      months.set(month, rows)
    }
  }
  return new Map(
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, rows]) => [
        `reviews/reviews_${appId}_${month}.csv`,
        encoded([csvRow(HEADER), ...rows].join('')),
      ]),
  )
}

type Version = Pick<WorldReview, 'rating' | 'title' | 'body'> & { readonly at: Date }

function versionsByMonth(
  review: WorldReview,
  repliedAt: Date | null,
  until: number,
): ReadonlyMap<string, Version> {
  const { rating, title, body } = review
  const versions: Version[] = [...review.history, { rating, title, body, at: shownAtOf(review) }]
  const seen = versions.filter((version) => version.at.getTime() <= until)
  const months = new Map(seen.map((version) => [monthOf(version.at), version]))
  const last = seen.at(-1)
  if (
    repliedAt !== null &&
    last !== undefined &&
    repliedAt.getTime() <= until &&
    !months.has(monthOf(repliedAt))
  ) {
    months.set(monthOf(repliedAt), last)
  }
  return months
}

function rowOf(
  appId: string,
  language: string,
  review: WorldReview,
  version: Version,
  reply: { readonly text: string; readonly writtenAt: Date } | null,
): string[] {
  const hasText = version.body !== '' || version.title !== null
  const link = `http://play.google.com/console/developers/1/app/2/user-feedback/review-details?reviewId=${encodeURIComponent(review.id)}&corpus=PUBLIC_REVIEWS`
  return [
    appId,
    '',
    review.version ?? '',
    language,
    'oriole',
    isoSeconds(review.publishedAt),
    String(review.publishedAt.getTime()),
    isoSeconds(version.at),
    String(version.at.getTime()),
    String(version.rating),
    version.title ?? '',
    version.body,
    reply === null ? '' : isoSeconds(reply.writtenAt),
    reply === null ? '' : String(reply.writtenAt.getTime()),
    reply?.text ?? '',
    hasText ? link : '',
  ]
}

function csvRow(fields: readonly string[]): string {
  return `${fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\n`
}

function encoded(text: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7).replace('-', '')
}

function isoSeconds(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z')
}
