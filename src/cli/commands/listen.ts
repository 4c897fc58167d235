import { systemClock } from '../../runtime/clock.ts'
import { listenConfigOf } from '../../service/config/listen.ts'
import { type Command, CommandFailed, numberOption } from '../command.ts'
import { createDisplay } from '../listen/display.ts'
import {
  APP_OPTION,
  givenSecret,
  LISTEN_OPTIONS,
  type ListenOptions,
  listenOptionsOf,
  tokenOf,
} from '../listen/listen-options.ts'
import { type Subscription, subscribe } from '../listen/subscription.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '../receiver/receiver.ts'
import { stopSignals } from '../stop-signal.ts'

const HOST = '127.0.0.1'
const PORT = 4040
const STATUS = 200

export const listen: Command = {
  about:
    'Runs a receiver that verifies and shows each request of a hook, one line a request, until Ctrl-C. Point a hook at it, or let it create one with --app, which it deletes at the end. A valid signature is answered 200, any other 401 with the reason. RADAR_URL (default http://127.0.0.1:8080) and RADAR_TOKEN say where to subscribe and as whom; RADAR_LISTEN_SECRET replaces --secret-file. A service sends to this machine only if its RADAR_ALLOW_TARGET_CIDRS lists 127.0.0.1.',
  options: {
    host: { value: 'ADDRESS', help: `Address to listen on; ${HOST} by default.` },
    port: { value: 'N', help: `Port to listen on; ${PORT} by default, 0 selects a free port.` },
    'secret-file': { value: 'FILE', help: 'File with the secret of the hook that points here.' },
    status: { value: 'N', help: 'Status for valid requests, e.g. 500 to test retries.' },
    json: { help: 'Print one JSON line per request; other output goes to standard error.' },
    app: APP_OPTION,
    ...LISTEN_OPTIONS,
  },
  async run(io, args) {
    const port = numberOption(args, 'port', 0, 65_535) ?? PORT
    const status = numberOption(args, 'status', 200, 599) ?? STATUS
    const options = listenOptionsOf(args)
    const config = listenConfigOf(io.environment)
    const token = options === null ? null : tokenOf(config)
    let secret = options === null ? givenSecret(args, config) : undefined
    const display = createDisplay(io, args.isOn('json'))
    // Closing a terminal sends SIGHUP: the hook must not outlive it.
    using signals = stopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'])
    await using receiver = await receiverAt({
      host: args.option('host') ?? HOST,
      port,
      status,
      secretOf: () => secret,
      clock: systemClock,
      onReceived: display.show,
    })
    const stopped = () => Promise.race([signals.first, display.unread])
    const about = (text: string) => display.say(`Receiver    ${receiver.url}\n${text}\n`)
    if (options === null || token === null) {
      about(`Signatures  ${typeof secret === 'string' ? 'verified with the secret given' : UNCHECKED}\n`)
      await stopped()
    } else {
      const body = { ...options, target_url: options.target_url ?? receiver.url }
      const hook = await subscribe({ url: config.url, token, body })
      secret = hook.secret
      const isTested = args.isOn('test')
      try {
        about(`${aboutHook(hook, options, config.url)}${isTested ? '' : HINT}`)
        const why = isTested ? await Promise.race([hook.test(), stopped().then(() => null)]) : null
        if (why !== null) io.err(`radar listen: ${why}\n`)
        await stopped()
      } finally {
        await hook.end(signals.second)
      }
    }
    display.say(display.summary())
    return 0
  },
}

const UNCHECKED = 'not checked; set the secret of the hook with --secret-file or RADAR_LISTEN_SECRET'

/** Many apps get a review a day or none. */
const HINT = 'There may be no event for hours: --test sends a synthetic event at once.\n'

function aboutHook({ hookId }: Subscription, options: ListenOptions, url: string): string {
  const { event_type: type, store, app_id: appId, country } = options
  return `Hook        ${hookId} of ${url}, until Ctrl-C
Sends       ${type} of ${store} ${appId}${country ? ` in ${country}` : ''}, from now on
Signatures  verified with its secret
`
}

/** Throws `CommandFailed` when it cannot listen there. */
async function receiverAt(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await startReceiver(options)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const refusal = REFUSALS[code]
    if (refusal === undefined) throw cause
    throw new CommandFailed(`The address ${options.host}:${options.port} ${refusal}.`, { cause })
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another process; choose another with --port, or 0 for a free one',
  EACCES: 'may not be used by this user; choose one of 1024 or above with --port',
  EADDRNOTAVAIL: 'is not an address of this machine; choose one with --host, 0.0.0.0 for all',
  ENOTFOUND: 'does not resolve; choose an address of this machine with --host, 0.0.0.0 for all',
}
