import { postEvent } from '../../client/post-event.ts'
import type { WebhookEvent } from '../../contract/webhook.ts'
import { newSecret, signatureHeaders } from '../../model/signature.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { listenConfigOf } from '../../service/config/listen.ts'
import { VERSION } from '../../service/version.ts'
import { type Arguments, type Io, type Option, UsageError } from '../command.ts'
import { givenSecret } from '../listen/listen-options.ts'

/** As long as the service waits for a receiver by default. */
const TIMEOUT_MS = 15_000

const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000]
const RETRY_MS_MAX = 30_000
/**
 * Error answers of the program before the event is skipped, after about 30 s. Attempts without an answer have no limit.
 */
const ANSWERS_MAX = RETRY_MS.length + 1

export type Forwarded =
  | { readonly kind: 'accepted'; readonly status: number }
  /** The program rejected it each time. */
  | { readonly kind: 'skipped'; readonly status: number }
  /** `signal` aborted it; the program may have received the event. */
  | { readonly kind: 'interrupted' }

export type Forwarder = {
  /** The target and the signature, as a line of output. */
  readonly about: string
  /** Posts one event until the program accepts it, and reports each failed attempt. */
  readonly forward: (event: WebhookEvent, signal: AbortSignal) => Promise<Forwarded>
}

export const FORWARD_OPTIONS = {
  forward: { value: 'URL', help: 'Post each event to this URL, e.g. http://localhost:3000/reviews.' },
  'secret-file': { value: 'FILE', help: 'Sign with the secret in this file; by default with a new one.' },
} as const satisfies Readonly<Record<string, Option>>

/**
 * Null without `--forward`. Signs with the given secret, or with the result of `secretOf` if there is none. Throws
 * `UsageError` and `CommandFailed`.
 */
export function createForwarder(
  io: Pick<Io, 'environment' | 'err'>,
  args: Arguments,
  secretOf: () => string = newSecret,
  clock: Clock = systemClock,
): Forwarder | null {
  const url = forwardUrl(args)
  if (url === null) return null
  const given = givenSecret(args, listenConfigOf(io.environment))
  let created: string | undefined
  const secret = () => {
    created ??= given ?? secretOf()
    return created
  }
  return {
    get about() {
      return `Forwards    to ${url}, signed with ${given === null ? secret() : 'the given secret'}\n`
    },
    async forward(event, signal) {
      let answers = 0
      for (let failures = 0; !signal.aborted; failures += 1) {
        const result = await post(event, url, secret(), signal)
        if (signal.aborted) break
        if ('status' in result && result.status >= 200 && result.status <= 299)
          return { kind: 'accepted', status: result.status }
        const why = 'status' in result ? `HTTP ${result.status}` : result.error
        if ('status' in result) answers += 1
        if ('status' in result && answers === ANSWERS_MAX) {
          io.err(`SKIPPED: event ${event.event_id} was not accepted in ${answers} attempts (${why}).\n`)
          return { kind: 'skipped', status: result.status }
        }
        const waitMs = RETRY_MS[failures] ?? RETRY_MS_MAX
        const limit = 'status' in result ? ` It is skipped after ${ANSWERS_MAX} such answers.` : ''
        io.err(
          `Event ${event.event_id} was not accepted (${why}). Next attempt in ${waitMs / 1000} s.${limit}\n`,
        )
        await clock.sleep(waitMs, signal)
      }
      return { kind: 'interrupted' }
    },
  }
}

/** Null without `--forward`. Throws `UsageError`. */
export function forwardUrl(args: Arguments): string | null {
  const text = args.option('forward')
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new UsageError(`--forward must be an http or https URL, not "${text}".`)
}

function post(event: WebhookEvent, url: string, secret: string, signal: AbortSignal) {
  const body = Buffer.from(JSON.stringify(event))
  const signed = { secrets: [secret], eventId: event.event_id, body, at: systemClock.now() }
  const headers = { 'user-agent': `ReviewRadar/${VERSION}`, ...signatureHeaders(signed) }
  return postEvent({ url, headers, body, timeoutMs: TIMEOUT_MS, signal })
}
