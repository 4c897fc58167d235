import type { WebhookEvent } from '../../contract/webhook.ts'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import { type Arguments, type Command, choiceOption, numberOption, UsageError } from '../command.ts'
import { createForwarder, FORWARD_OPTIONS, type Forwarded } from '../events/forwarder.ts'
import { forwardedText, showEvents, skippedText } from '../events/show.ts'
import { eventText } from '../listen/lines.ts'
import { appOption } from '../remote/app-option.ts'
import { remoteService } from '../remote/service.ts'
import { stopSignals } from '../stop-signal.ts'
import { jsonLine } from '../table.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000_000

export const events: Command = {
  about:
    'Prints the events of your hooks, oldest first, whether delivered or not. It reads them from the service at RADAR_URL (default http://127.0.0.1:8080) with the token in RADAR_TOKEN. With --follow it waits for new events until Ctrl-C. With --forward it posts each event to a program on this machine, signed like requests of the service, until the program accepts it; an event that it rejects six times is skipped. It does not require a public address.',
  options: {
    follow: { help: 'Wait for new events; without --after only these are printed.' },
    after: { value: 'CURSOR', help: 'Continue after the number that an earlier run printed.' },
    app: { value: 'STORE/ID', help: 'Only events of this app, e.g. apple/310633997.' },
    type: {
      value: 'TYPE',
      choices: EVENT_TYPES,
      help: `Only events of this type: ${EVENT_TYPES.join(', ')}.`,
    },
    hook: { value: 'ID', help: 'Only events of this hook.' },
    limit: { value: 'N', help: `Maximum number; ${LIMIT} by default, none with --follow.` },
    ...FORWARD_OPTIONS,
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
    if (args.option('secret-file') !== undefined && args.option('forward') === undefined)
      throw new UsageError('--secret-file requires --forward URL.')
    const forwarder = createForwarder(io, args)
    const service = remoteService(io)
    using signals = stopSignals()
    const stop = new AbortController()
    void signals.first.then(() => stop.abort())
    const asJson = args.isOn('json')
    if (forwarder !== null) io.err(forwarder.about)

    const pull = { after, follow, limit, filter, signal: stop.signal }
    const shown = await showEvents(service, io, pull, forwarder, asJson ? jsonLine : lineOf)
    if (shown.events === 0 && !follow && !stop.signal.aborted)
      io.err('There are no events. A hook gets only events from after its creation.\n')
    if (shown.skipped > 0) io.err(`${skippedText(shown.skipped)}.\n`)
    if (shown.cursor !== null) io.err(`Continue with --after ${shown.cursor}.\n`)
    return shown.skipped === 0 ? 0 : 1
  },
}

function afterOf(args: Arguments): string | null {
  const after = args.option('after')
  if (after === undefined) return null
  if (/^\d{1,15}$/.test(after)) return after
  throw new UsageError(`--after must be the number that an earlier run printed, not "${after}".`)
}

/** The time of detection, the answer to the forwarded request, the content and the id. */
function lineOf(event: WebhookEvent, forwarded: Forwarded | null): string {
  const at = event.observed_at.slice(0, 19).replace('T', ' ')
  return `${at}Z  ${forwardedText(forwarded)}${eventText(event)}  ${event.event_id}\n`
}
