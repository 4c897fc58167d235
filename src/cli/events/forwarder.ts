import { postEvent } from '../../client/post-event.ts'
import type { WebhookEvent } from '../../contract/webhook.ts'
import { newSecret, signatureHeaders } from '../../model/signature.ts'
import { systemClock } from '../../runtime/clock.ts'
import { listenConfigOf } from '../../service/config/listen.ts'
import { type Arguments, type Io, UsageError } from '../command.ts'
import { givenSecret } from '../listen/listen-options.ts'

/** A program on the same machine; the service itself waits 15 s by default. */
const TIMEOUT_MS = 15_000

export type Forwarder = {
  /** Where it posts to and how it signs. */
  readonly about: string
  /** Posts one event once; returns the status, or why there was no answer. */
  readonly forward: (event: WebhookEvent, signal: AbortSignal) => Promise<string>
}

/** Null without `--forward`. Throws `UsageError` and `CommandFailed`. */
export function createForwarder(io: Pick<Io, 'environment'>, args: Arguments): Forwarder | null {
  const text = args.option('forward')
  if (text === undefined) {
    if (args.option('secret-file') !== undefined) throw new UsageError('--secret-file needs --forward URL.')
    return null
  }
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--forward must be an http or https URL, not "${text}".`)
  const given = givenSecret(args, listenConfigOf(io.environment))
  const secret = given ?? newSecret()
  const signed = given === null ? `signed with the new secret ${secret}` : 'signed with the secret given'
  return {
    about: `Each event is posted to ${url.href} once, ${signed}.\n`,
    async forward(event, signal) {
      const body = Buffer.from(JSON.stringify(event))
      const { event_id: eventId } = event
      const headers = signatureHeaders({ secrets: [secret], eventId, body, at: systemClock.now() })
      const result = await postEvent({ url: url.href, headers, body, timeoutMs: TIMEOUT_MS, signal })
      return 'status' in result ? String(result.status) : `FAILED (${result.error})`
    },
  }
}
