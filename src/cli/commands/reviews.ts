import type { ReviewRow } from '../../contract/v1/reviews.ts'
import { REVIEW_LANGUAGE } from '../../model/review-language.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../model/vocabulary.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Arguments, type Command, choiceOption, numberOption, UsageError } from '../command.ts'
import { INSTANT_HELP, instantOption } from '../instant.ts'
import { appOption } from '../remote/app-option.ts'
import { remoteService } from '../remote/service.ts'
import { excerpt, JSON_OPTION, jsonLine, shownAt, table } from '../table.ts'

const LIMIT = 20
const LIMIT_MAX = 100_000
/** The page limit of the API. */
const PAGE_MAX = 200
const TEXT_CHARS_MAX = 60
const NAME_CHARS_MAX = 30

export const reviews: Command = {
  about:
    'Prints stored reviews, newest first. It reads them from the service at RADAR_URL (default http://127.0.0.1:8080) with the token in RADAR_TOKEN.',
  options: {
    app: { value: 'STORE/ID', help: 'Only reviews of this app, e.g. apple/310633997.' },
    country: { value: 'CC', choices: STOREFRONTS, help: 'Only reviews of this storefront, e.g. us.' },
    stars: { value: 'LIST', help: 'Only reviews with these numbers of stars, e.g. 1,2.' },
    language: { value: 'CC', help: 'Only reviews in this language, e.g. de.' },
    sentiment: { value: 'WORD', choices: SENTIMENTS, help: `Only ${SENTIMENTS.join(', ')}.` },
    severity: { value: 'WORD', choices: SEVERITIES, help: `Only ${SEVERITIES.join(', ')}.` },
    theme: { value: 'THEME', choices: THEMES, help: 'Only reviews about this theme, e.g. stability_crash.' },
    'app-version': { value: 'TEXT', help: 'Only reviews of this version of the app.' },
    bugs: { help: 'Only bug reports.' },
    requests: { help: 'Only feature requests.' },
    text: { value: 'WORDS', help: 'Only reviews that contain every word.' },
    since: { value: 'TIME', help: `Only reviews published since then: ${INSTANT_HELP}.` },
    until: { value: 'TIME', help: 'Only reviews published before then.' },
    limit: { value: 'N', help: `Maximum number; ${LIMIT} by default.` },
    json: JSON_OPTION,
  },
  async run(io, args) {
    const limit = numberOption(args, 'limit', 1, LIMIT_MAX) ?? LIMIT
    const query = queryOf(args)
    const { client, failed } = remoteService(io)
    const asJson = args.isOn('json')
    const rows: ReviewRow[] = []
    let shown = 0
    let cursor: string | null | undefined
    while (shown < limit && cursor !== null) {
      const page = await client
        .listReviews({ ...query, cursor, limit: String(Math.min(PAGE_MAX, limit - shown)) })
        .catch((error: unknown) => {
          throw failed(error)
        })
      shown += page.data.length
      cursor = page.next_cursor
      if (!asJson) rows.push(...page.data)
      else {
        io.out(page.data.map(jsonLine).join(''))
        await io.drained()
      }
    }
    if (!asJson)
      io.out(table(['published', 'stars', 'app', 'where', 'version', 'sentiment', 'text'], rows.map(cellsOf)))
    if (shown === 0) io.err('No review matches.\n')
    else if (cursor !== null) io.err(`There are more: --limit prints up to ${LIMIT_MAX}.\n`)
    return 0
  },
}

function queryOf(args: Arguments) {
  const now = systemClock.now()
  const app = appOption(args)
  const stars = args.option('stars')
  if (stars !== undefined && !/^[1-5](,[1-5]){0,4}$/.test(stars))
    throw new UsageError(`--stars must be a list such as 1,2, not "${stars}".`)
  const language = args.option('language')
  if (language !== undefined && !REVIEW_LANGUAGE.test(language))
    throw new UsageError(`--language must be two letters such as de, or und, not "${language}".`)
  return {
    store: app?.store,
    app_id: app?.appId,
    country: choiceOption(args, 'country', STOREFRONTS),
    stars,
    language,
    sentiment: choiceOption(args, 'sentiment', SENTIMENTS),
    severity: choiceOption(args, 'severity', SEVERITIES),
    theme: choiceOption(args, 'theme', THEMES),
    app_version: args.option('app-version'),
    is_bug_report: args.isOn('bugs') ? 'true' : undefined,
    is_feature_request: args.isOn('requests') ? 'true' : undefined,
    text: args.option('text'),
    since: instantOption(args, 'since', now)?.toISOString(),
    until: instantOption(args, 'until', now)?.toISOString(),
  }
}

function cellsOf(review: ReviewRow): string[] {
  const { enrichment, title, body } = review
  return [
    shownAt(new Date(review.occurred_at)),
    '★'.repeat(review.rating).padEnd(5, '☆'),
    excerpt(review.app_name ?? review.app_id, NAME_CHARS_MAX),
    `${review.store} ${review.market}`,
    excerpt(review.app_version ?? '-', NAME_CHARS_MAX),
    enrichment?.sentiment ?? '-',
    excerpt([title, body].filter(Boolean).join(': '), TEXT_CHARS_MAX),
  ]
}
