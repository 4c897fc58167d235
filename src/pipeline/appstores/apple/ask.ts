import type { Egress } from '../../../runtime/egress/egress.ts'
import { retryAfterMs as retryAfterMsOf } from '../../../runtime/retry-after.ts'
import { type Pace, STORE_RETRY_AFTER_MS_MAX, type Trouble } from '../appstore.ts'
import { rawAnswer } from '../raw-answer.ts'

/** One paced request to Apple, and what its status means before anybody reads the body. */

export type AskDeps = {
  readonly egress: Egress
  /** Base URL without a slash at its end: the feed, lookup, search and userReviewsRow. */
  readonly itunesUrl: string
  /** Base URL of the web store: its reviews proxy and its pages. */
  readonly webUrl: string
  readonly timeoutMs: number
}

/** Whoever may stop a request: the limiter before it, the signal during it. */
export type Turn = { readonly pace: Pace; readonly signal: AbortSignal }

export type Question = {
  readonly source: string
  readonly host: Host
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}
export type Host = 'itunes' | 'web'

export type Failed = {
  readonly kind: 'failed'
  readonly trouble: Trouble
  /** A changed answer that holds reviews all the same: no other source may take its app for one without any. */
  readonly holdsReviews: boolean
  /**
   * What need not be asked any more in this visit: nothing but this source, its whole `host` (it blocks us or cannot
   * be reached: another of its paths would only hammer it), or anything (`visit`: we are being stopped).
   */
  readonly ends: 'source' | 'host' | 'visit'
}

export type Told = { readonly kind: 'told'; readonly status: 200 | 400 | 404; readonly text: string }

/** 200 apps in one lookup have 2 MB (10 KB each, recorded 2019), a page of the web store 1 MB (measured 2026-09). */
const BODY_BYTES_MAX = 16 * 1024 * 1024

/**
 * Asks once, after `pace` lets it. Status 200, 400 and 404 are told, since a source may give them a meaning of its
 * own. 403 is what Apple answers above 20 lookups a minute, so it counts as a throttle like 429 and 503.
 */
export async function ask(deps: AskDeps, question: Question, turn: Turn): Promise<Told | Failed> {
  const { source } = question
  if (!(await turn.pace(turn.signal))) {
    return failed('unknown', source, 'Stopped before Apple was asked.', { ends: 'visit' })
  }
  const answer = await deps.egress.request({
    method: 'GET',
    url: (question.host === 'itunes' ? deps.itunesUrl : deps.webUrl) + question.path,
    headers: { accept: '*/*', ...question.headers },
    timeoutMs: deps.timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
    gunzip: true,
    signal: turn.signal,
  })
  if (answer.kind === 'failed') {
    const ends = answer.reason === 'interrupted' ? 'visit' : 'host'
    return failed('unknown', source, `No answer from Apple (${answer.reason}): ${answer.detail}`, { ends })
  }
  const { status } = answer
  const text = answer.body.toString('utf8')
  const wait = { maxMs: STORE_RETRY_AFTER_MS_MAX, now: null }
  const retryAfterMs = retryAfterMsOf(answer.headers, wait) ?? undefined
  if (status === 403 || status === 429 || status === 503) {
    return failed('blocked', source, `Apple refused the request with status ${status}.`, {
      ends: 'host',
      retryAfterMs,
    })
  }
  if (status >= 500) return failed('unknown', source, `Apple failed with status ${status}.`, { retryAfterMs })
  if (status >= 300 && status < 400) return redirected(source, answer.headers.location ?? '')
  if (answer.truncated)
    return failedAsChanged(source, `the answer is larger than ${BODY_BYTES_MAX} bytes`, text)
  if (status === 200 || status === 400 || status === 404) return { kind: 'told', status, text }
  return failedAsChanged(source, `the answer has status ${status}`, text)
}

/** Names that all sources write beside each review, whatever else changes around them. */
const REVIEW_MARK = /"entry"|<entry[\s>]|"user-reviews"|"userReviewId"|"\$kind":\s?"Review"/

/** For an answer whose shape is not the known one. */
export function failedAsChanged(source: string, why: string, text: string): Failed {
  const raw = rawAnswer(text)
  const holdsReviews = REVIEW_MARK.test(text)
  return failed('changed', source, `Apple's answer changed: ${why}.`, { raw, holdsReviews })
}

export function failed(
  kind: Trouble['kind'],
  source: string,
  detail: string,
  more: {
    readonly ends?: Failed['ends']
    readonly retryAfterMs?: number | undefined
    readonly raw?: string
    readonly holdsReviews?: boolean
  } = {},
): Failed {
  const { ends = 'source', retryAfterMs, raw, holdsReviews = false } = more
  const extra = {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(raw === undefined ? {} : { raw }),
  }
  return { kind: 'failed', ends, holdsReviews, trouble: { kind, source, detail, ...extra } }
}

function redirected(source: string, location: string): Failed {
  if (/captcha|consent|signin/i.test(location)) {
    return failed('blocked', source, 'Apple sent us to a page that proves us human.', { ends: 'host' })
  }
  return failedAsChanged(source, `it redirects to ${location.slice(0, 200) || 'nowhere'}`, '')
}
