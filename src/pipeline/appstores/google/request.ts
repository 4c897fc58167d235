import type { Egress, EgressRequest } from '../../../runtime/egress/egress.ts'
import type { AddedFormats } from '../added-formats.ts'
import type { Pace, StoreFailure } from '../appstore.ts'
import { rawAnswer } from '../raw-answer.ts'
import { storeFailure, waitOf } from '../store-failure.ts'

/** One rate-limited request to Play, and the meaning of its status. */

export type RequestDeps = {
  readonly egress: Egress
  readonly playUrl: string
  readonly timeoutMs: number
  readonly added?: AddedFormats['google']
}

export type PageAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'failed'; readonly failure: StoreFailure }

/** An app page takes 0.7 to 1.2 MB, 150 reviews 0.13 MB (measured on answers of 2021 to 2026). */
const BODY_BYTES_MAX = 4 * 1024 * 1024

const BLOCK_PAGE = /google\.com\/recaptcha|g-recaptcha|unusual traffic|consent\.google\.|\/sorry\/index/i

export async function sendRequest(
  deps: RequestDeps,
  source: string,
  request: Pick<EgressRequest, 'method' | 'body' | 'headers'> & { readonly path: string },
  pace: Pace,
  signal: AbortSignal,
): Promise<PageAnswer> {
  if (!(await pace(signal))) return failed('unknown', source, 'Stopped before the request to Google Play.')
  const answer = await deps.egress.request({
    method: request.method,
    url: deps.playUrl.replace(/(?<!\/)\/+$/, '') + request.path,
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; ReviewRadar)', accept: '*/*', ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    timeoutMs: deps.timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
    gunzip: true,
    signal,
  })
  if (answer.kind === 'failed') {
    return failed('unknown', source, `No response from Google Play (${answer.reason}): ${answer.detail}`)
  }
  const text = answer.body.toString('utf8')
  const { status } = answer
  if (status === 404) return { kind: 'not_found' }
  if (status === 403 || status === 429 || status === 503) {
    return failed(
      'blocked',
      source,
      `Google Play rejected the request with status ${status}.`,
      waitOf(answer),
    )
  }
  if (status >= 300 && status < 400) return redirected(source, answer.headers.location ?? '')
  if (status >= 500) {
    return failed('unknown', source, `Google Play failed with status ${status}.`, waitOf(answer))
  }
  if (status !== 200) {
    if (looksBlocked(text)) return blockPage(source)
    return changed(source, `Google Play answered with status ${status}.`, text)
  }
  if (answer.truncated) {
    return changed(source, `The response from Google Play is larger than ${BODY_BYTES_MAX} bytes.`, text)
  }
  return { kind: 'text', text }
}

/** The failure for an unreadable page: Google's block page for bots, or an unknown format. */
export function unreadable(source: string, reason: string, text: string): StoreFailure {
  return (
    looksBlocked(text)
      ? blockPage(source)
      : changed(source, `The format of Google Play's response changed: ${reason}.`, text)
  ).failure
}

export function looksBlocked(text: string): boolean {
  return BLOCK_PAGE.test(text)
}

function redirected(source: string, location: string): ReturnType<typeof failed> {
  if (/consent\.|\/sorry\/|captcha/i.test(location)) return blockPage(source)
  return changed(source, `Google Play redirected to ${location.slice(0, 200) || 'nowhere'}.`, '')
}

function blockPage(source: string): ReturnType<typeof failed> {
  return failed('blocked', source, 'Google Play answered with a captcha or consent page.')
}

function changed(source: string, detail: string, text: string): ReturnType<typeof failed> {
  return failed('changed', source, detail, { raw: rawAnswer(text) })
}

function failed(...failure: Parameters<typeof storeFailure>) {
  return { kind: 'failed', failure: storeFailure(...failure) } as const
}
