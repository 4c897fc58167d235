import type { WebhookEvent } from '../../contract/webhook.ts'
import { PULL_TARGET } from '../../model/inbox.ts'
import { systemClock } from '../../runtime/clock.ts'
import { listenConfigOf } from '../../service/config/listen.ts'
import type { Arguments, Io } from '../command.ts'
import { createForwarder, type Forwarded } from '../events/forwarder.ts'
import { forwardedText, type Shown, showEvents, skippedText } from '../events/show.ts'
import { type RemoteService, remoteService } from '../remote/service.ts'
import { stopSignals } from '../stop-signal.ts'
import { jsonLine } from '../table.ts'
import { eventText } from './lines.ts'
import { aboutHook, type ListenOptions, STOP_SIGNALS, TEST_HINT, tokenOf } from './listen-options.ts'
import { type Subscription, subscribe } from './subscription.ts'

/**
 * Pulls events until Ctrl-C: with `options` those of a temporary hook, otherwise those of every hook of the account.
 * Returns 1 when the program of `--forward` rejected an event. Throws `UsageError` and `CommandFailed`.
 */
export async function pullHook(io: Io, args: Arguments, options: ListenOptions | null): Promise<number> {
  const config = listenConfigOf(io.environment)
  const service = remoteService(io)
  let hook: Subscription | null = null
  const forwarder = createForwarder(io, args, options === null ? undefined : () => hook?.secret ?? '')
  using signals = stopSignals(STOP_SIGNALS)
  const stop = new AbortController()
  void signals.first.then(() => stop.abort())
  const asJson = args.isOn('json')
  const say = asJson ? io.err : io.out
  const lineOf = asJson ? pulledJson : pulledLine

  // Read before the hook is created, so that its first event is not missed.
  const after = await newestCursor(service)
  if (options !== null) {
    const body = { ...options, target_url: PULL_TARGET }
    hook = await subscribe({ url: config.url, token: tokenOf(config), body })
  }
  const isTested = args.isOn('test')
  let shown: Shown = { cursor: after, events: 0, skipped: 0 }
  let tests = 0
  let testsSkipped = 0
  try {
    const from =
      options === null || hook === null
        ? `Events      of every hook of ${config.url}, from now on\n`
        : `${aboutHook(hook.hookId, options, config.url)}${isTested ? '' : TEST_HINT}`
    say(`${from}${forwarder?.about ?? ''}\n`)
    if (isTested && hook !== null) {
      const { request_body: sent } = await hook.test()
      const event = JSON.parse(sent) as WebhookEvent
      const forwarded = forwarder === null ? null : await forwarder.forward(event, stop.signal)
      if (forwarded?.kind !== 'interrupted') {
        io.out(lineOf(event, forwarded))
        tests = 1
        if (forwarded?.kind === 'skipped') testsSkipped = 1
      }
    }
    const pull = {
      after,
      follow: true,
      limit: Number.POSITIVE_INFINITY,
      filter: hook === null ? {} : { hook_id: hook.hookId },
      signal: stop.signal,
    }
    shown = await showEvents(service, io, pull, forwarder, lineOf)
  } finally {
    await hook?.end(signals.second)
  }
  const events = shown.events + tests
  const skipped = shown.skipped + testsSkipped
  say(`${events} event${events === 1 ? '' : 's'}.${skipped > 0 ? ` ${skippedText(skipped)}.` : ''}\n`)
  // The events of a temporary hook are deleted with it.
  if (hook === null) say(`Continue with: radar events --follow --after ${shown.cursor}\n`)
  return skipped === 0 ? 0 : 1
}

async function newestCursor({ client, failed }: RemoteService): Promise<string> {
  const { next_cursor: cursor } = await client.listEvents({ after: 'latest' }).catch((error: unknown) => {
    throw failed(error)
  })
  return cursor
}

function pulledLine(event: WebhookEvent, forwarded: Forwarded | null): string {
  const time = systemClock.now().toISOString().slice(11, 19)
  return `${time}Z  ${forwardedText(forwarded)}${eventText(event)}  ${event.event_id}\n`
}

/** `status` is the answer of the program of `--forward`; null without it. */
function pulledJson(event: WebhookEvent, forwarded: Forwarded | null): string {
  const status = forwarded === null || forwarded.kind === 'interrupted' ? null : forwarded.status
  return jsonLine({ at: systemClock.now().toISOString(), status, event })
}
