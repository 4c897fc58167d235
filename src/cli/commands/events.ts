import type { WebhookEvent } from '../../contract/webhook.ts'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import { type Arguments, type Command, choiceOption, numberOption, UsageError } from '../command.ts'
import { createForwarder } from '../events/forwarder.ts'
import { pullEvents } from '../events/pull.ts'
import { eventText } from '../listen/lines.ts'
import { appOption } from '../remote/app-option.ts'
import { remoteService } from '../remote/service.ts'
import { stopSignals } from '../stop-signal.ts'
import { jsonLine } from '../table.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000_000

export const events: Command = {
  about:
    'Prints the events of your hooks, oldest first, whatever became of their delivery. It reads them from the service at RADAR_URL (default http://127.0.0.1:8080) with the token in RADAR_TOKEN. With --follow it waits for new ones until Ctrl-C, and with --forward it posts each to a program on this machine, signed as the service signs; nothing needs a public address.',
  options: {
    follow: { help: 'Wait for new events; without --after only these are printed.' },
    after: { value: 'CURSOR', help: 'Go on where an earlier run ended; it printed this number.' },
    app: { value: 'STORE/ID', help: 'Only those of this app, e.g. apple/310633997.' },
    type: { value: 'TYPE', help: `Only ${EVENT_TYPES.join(' or ')}.` },
    hook: { value: 'ID', help: 'Only those of this hook.' },
    limit: { value: 'N', help: `Maximum number; ${LIMIT} by default, none with --follow.` },
    forward: { value: 'URL', help: 'Post each event to this URL, e.g. http://localhost:3000/reviews.' },
    'secret-file': { value: 'FILE', help: 'Sign with the secret in this file; without it, with a new one.' },
    json: { help: 'Print each event as one line of JSON.' },
  },
  hint: '"radar hooks list" shows the ids of hooks.',
  async run(io, args) {
    const follow = args.isOn('follow')
    const after = afterOf(args)
    const limit = numberOption(args, 'limit', 1, LIMIT_MAX) ?? (follow ? Number.POSITIVE_INFINITY : LIMIT)
    const app = appOption(args)
    const filter = {
      store: app?.store,
      app_id: app?.appId,
      event_type: choiceOption(args, 'type', EVENT_TYPES),
      hook_id: args.option('hook'),
    }
    const forwarder = createForwarder(io, args)
    const service = remoteService(io)
    using signals = stopSignals()
    const stop = new AbortController()
    void signals.first.then(() => stop.abort())
    const asJson = args.isOn('json')
    if (forwarder !== null) io.err(forwarder.about)

    let cursor = after
    let shown = 0
    for await (const page of pullEvents(service, io, { after, follow, limit, filter, signal: stop.signal })) {
      for (const event of page.data) {
        const answer = forwarder === null ? null : await forwarder.forward(event, stop.signal)
        io.out(asJson ? jsonLine(event) : lineOf(event, answer))
        shown += 1
      }
      cursor = page.next_cursor
      await io.drained()
    }
    if (shown === 0 && !follow) io.err('No events: a hook gets the first ones after its creation.\n')
    if (cursor !== null) io.err(`Go on with --after ${cursor}.\n`)
    return 0
  },
}

function afterOf(args: Arguments): string | null {
  const after = args.option('after')
  if (after === undefined) return null
  if (/^\d{1,15}$/.test(after)) return after
  throw new UsageError(`--after must be the number that an earlier run printed, not "${after}".`)
}

/** Time of its detection, the answer to the forwarded request, content and id. */
function lineOf(event: WebhookEvent, answer: string | null): string {
  const at = event.observed_at.slice(0, 19).replace('T', ' ')
  return `${at}Z  ${answer === null ? '' : `${answer}  `}${eventText(event)}  ${event.event_id}\n`
}
