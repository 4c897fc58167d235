import type { Egress } from '../../../runtime/egress/egress.ts'
import type { Pace, StoreFailure } from '../appstore.ts'
import { rawAnswer } from '../raw-answer.ts'
import { storeFailure, waitOf } from '../store-failure.ts'
import type { FeedSpellings } from './feed-spellings.ts'

/** One rate-limited request to Apple, and the meaning of its status. */

export type RequestDeps = {
  readonly egress: Egress
  /** Base URL without a trailing slash: the feed, lookup, search and userReviewsRow. */
  readonly itunesUrl: string
  /** Base URL of the web store: its reviews proxy and its pages. */
  readonly webUrl: string
  readonly timeoutMs: number
  /** Absent: always the usual address. */
  readonly feedSpellings?: FeedSpellings
  /** Absent: those of known-formats.ts. */
  readonly pageKinds?: ReadonlySet<string>
}

/** What can stop a request: the rate limiter before it, the signal during it. */
export type RequestContext = { readonly pace: Pace; readonly signal: AbortSignal }

export type StoreRequest = {
  readonly source: string
  readonly host: Host
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly bodyBytesMax?: number
}
export type Host = 'itunes' | 'web'

export type Failed = {
  readonly kind: 'failed'
  readonly failure: StoreFailure
  /** A changed answer that contains reviews, so an empty answer of another source does not count. */
  readonly containsReviews: boolean
  /**
   * What this poll does not request again: the `source`, its `host` (it blocks us or is unreachable), or anything
   * (`poll`: the service is stopping).
   */
  readonly ends: 'source' | 'host' | 'poll'
}

export type AppleResponse = {
  readonly kind: 'answered'
  readonly status: 200 | 400 | 404
  readonly text: string
}

/**
 * A lookup of 200 apps takes 2 MB (10 KB each, recorded 2019), a page of the web store 1 MB (measured 2026-09). Hostile 4 MB are read
 * within 40 ms, more would hold up the process.
 */
const BODY_BYTES_MAX = 4 * 1024 * 1024

/**
 * Sends one request when the rate limit permits it. Status 200, 400 and 404 are answers, since their meaning depends on
 * the source. Apple returns 403 above 20 lookups per minute, so 403 is a rate limit like 429 and 503.
 */
export async function sendRequest(
  deps: RequestDeps,
  request: StoreRequest,
  context: RequestContext,
): Promise<AppleResponse | Failed> {
  const { source, bodyBytesMax = BODY_BYTES_MAX } = request
  if (!(await context.pace(context.signal))) {
    return failed('unknown', source, 'Stopped before the request to Apple.', { ends: 'poll' })
  }
  const answer = await deps.egress.request({
    method: 'GET',
    url: (request.host === 'itunes' ? deps.itunesUrl : deps.webUrl) + request.path,
    headers: { accept: '*/*', ...request.headers },
    timeoutMs: deps.timeoutMs,
    bodyBytesMax,
    gunzip: true,
    signal: context.signal,
  })
  if (answer.kind === 'failed') {
    const ends = answer.reason === 'interrupted' ? 'poll' : 'host'
    return failed('unknown', source, `No response from Apple (${answer.reason}): ${answer.detail}`, { ends })
  }
  const { status } = answer
  const text = answer.body.toString('utf8')
  if (status === 403 || status === 429 || status === 503) {
    return failed('blocked', source, `Apple rejected the request with status ${status}.`, {
      ends: 'host',
      ...waitOf(answer),
    })
  }
  if (status >= 500) return failed('unknown', source, `Apple failed with status ${status}.`, waitOf(answer))
  if (status >= 300 && status < 400) return redirected(source, answer.headers.location ?? '')
  if (answer.truncated)
    return failedAsChanged(source, `the answer is larger than ${bodyBytesMax} bytes`, text)
  if (status === 200 || status === 400 || status === 404) return { kind: 'answered', status, text }
  return failedAsChanged(source, `the answer has status ${status}`, text)
}

/** Matches an answer with reviews, whatever its source. */
const REVIEW_MARK = /"entry"|<entry[\s>]|"user-reviews"|"userReviewId"|"\$kind":\s?"Review"/

/** The failure for an answer with an unknown format. */
export function failedAsChanged(source: string, reason: string, text: string): Failed {
  const raw = rawAnswer(text)
  const containsReviews = REVIEW_MARK.test(text)
  return failed('changed', source, `The format of Apple's response changed: ${reason}.`, {
    raw,
    containsReviews,
  })
}

/** The failure for reviews that are not in the requested order. They are readable, so there is no raw answer to keep. */
export function failedAsUnordered(source: string, problem: string): Failed {
  return failed('changed', source, `The order of Apple's response changed: ${problem}.`, {
    containsReviews: true,
    unordered: true,
  })
}

export function failed(
  kind: StoreFailure['kind'],
  source: string,
  detail: string,
  {
    ends = 'source',
    containsReviews = false,
    ...more
  }: Partial<Omit<Failed, 'kind' | 'failure'>> & Parameters<typeof storeFailure>[3] = {},
): Failed {
  return { kind: 'failed', ends, containsReviews, failure: storeFailure(kind, source, detail, more) }
}

function redirected(source: string, location: string): Failed {
  if (/captcha|consent|signin/i.test(location)) {
    return failed('blocked', source, 'Apple redirected to a captcha, consent or sign-in page.', {
      ends: 'host',
    })
  }
  return failedAsChanged(source, `it redirects to ${location.slice(0, 200) || 'nowhere'}`, '')
}
