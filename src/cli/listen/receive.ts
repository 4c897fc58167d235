import type { AttemptView } from '../../contract/attempt.ts'
import { systemClock } from '../../runtime/clock.ts'
import { listenConfigOf } from '../../service/config/listen.ts'
import { type Arguments, CommandFailed, type Io, numberOption } from '../command.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '../receiver/receiver.ts'
import { MESSAGE_CHARS_MAX } from '../remote/call-failure.ts'
import { stopSignals } from '../stop-signal.ts'
import { excerpt } from '../table.ts'
import { createDisplay } from './display.ts'
import {
  aboutHook,
  givenSecret,
  type ListenOptions,
  STOP_SIGNALS,
  TEST_HINT,
  tokenOf,
} from './listen-options.ts'
import { subscribe } from './subscription.ts'

const HOST = '127.0.0.1'
const PORT = 4040
const STATUS = 200

/** Options that start a receiver. */
export const RECEIVER_OPTIONS = {
  receive: { help: 'Run a receiver for requests of the service instead of pulling.' },
  host: { value: 'ADDRESS', help: `Address of the receiver; ${HOST} by default.` },
  port: { value: 'N', help: `Port of the receiver; ${PORT} by default, 0 selects a free port.` },
  status: { value: 'N', help: 'HTTP status of the receiver for valid requests, e.g. 500 to test retries.' },
  'target-url': { value: 'URL', help: 'URL at which the service reaches the receiver, e.g. of a tunnel.' },
} as const

/**
 * Runs a receiver until Ctrl-C, with a temporary hook if there are `options`. Throws `UsageError` and `CommandFailed`.
 */
export async function receiveEvents(io: Io, args: Arguments, options: ListenOptions | null): Promise<number> {
  const port = numberOption(args, 'port', 0, 65_535) ?? PORT
  const status = numberOption(args, 'status', 200, 599) ?? STATUS
  const config = listenConfigOf(io.environment)
  const token = options === null ? null : tokenOf(config)
  let secret = options === null ? givenSecret(args, config) : undefined
  const display = createDisplay(io, args.isOn('json'))
  using signals = stopSignals(STOP_SIGNALS)
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
    about(`Signatures  ${typeof secret === 'string' ? 'verified with the given secret' : UNCHECKED}\n`)
    await stopped()
  } else {
    const body = { ...options, target_url: args.option('target-url') ?? receiver.url }
    const hook = await subscribe({ url: config.url, token, body })
    secret = hook.secret
    const isTested = args.isOn('test')
    try {
      about(
        `${aboutHook(hook.hookId, options, config.url)}Signatures  verified with its secret\n${isTested ? '' : TEST_HINT}`,
      )
      const tested = () => hook.test().then(undelivered, failureSentence)
      const why = isTested ? await Promise.race([tested(), stopped().then(() => null)]) : null
      if (why !== null) io.err(`radar listen: ${why}\n`)
      await stopped()
    } finally {
      await hook.end(signals.second)
    }
  }
  display.say(display.summary())
  return 0
}

const UNCHECKED = 'not checked; set the secret of the hook with --secret-file or RADAR_LISTEN_SECRET'

/** The receiver shows requests that arrive. This reports only a test event that did not arrive. */
function undelivered({ reason, detail, http_status: status }: AttemptView): string | null {
  if (reason === null || status !== null) return null
  return `The test event did not arrive. ${excerpt(detail ?? reason, MESSAGE_CHARS_MAX)} Set --host and --target-url to an address at which the service can reach this receiver.`
}

function failureSentence(error: unknown): string {
  if (error instanceof CommandFailed) return error.message
  throw error
}

/** Throws `CommandFailed` when the receiver cannot listen on the address. */
async function receiverAt(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await startReceiver(options)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const problem = LISTEN_PROBLEMS[code]
    if (problem === undefined) throw cause
    throw new CommandFailed(`The address ${options.host}:${options.port} ${problem}.`, { cause })
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another process; choose another with --port, or 0 for a free one',
  EACCES: 'may not be used by this user; choose one of 1024 or above with --port',
  EADDRNOTAVAIL: 'is not an address of this machine; choose one with --host, 0.0.0.0 for all',
  ENOTFOUND: 'does not resolve; choose an address of this machine with --host, 0.0.0.0 for all',
}
