import { listenConfigOf } from '../../service/config/listen.ts'
import { type Arguments, type Command, type Io, UsageError } from '../command.ts'
import { FORWARD_OPTIONS, forwardUrl } from '../events/forwarder.ts'
import { APP_OPTION, LISTEN_OPTIONS, listenOptionsOf } from '../listen/listen-options.ts'
import { pullHook } from '../listen/pull.ts'
import { RECEIVER_OPTIONS, receiveEvents } from '../listen/receive.ts'

export const listen: Command = {
  about:
    'Shows new events, one line each, until Ctrl-C. It pulls them from the service at RADAR_URL (default http://127.0.0.1:8080) with the token in RADAR_TOKEN, so the service does not have to reach this machine. With --app it creates a hook for the app and deletes it at the end. Without --app it shows the events of every hook of the account. With --forward it posts each event to a program on this machine, signed like requests of the service, until the program accepts it; an event that it rejects six times is skipped. With --receive it instead runs a receiver that verifies each request; a service sends to this machine only if its RADAR_ALLOW_TARGET_CIDRS contains 127.0.0.1. RADAR_LISTEN_SECRET replaces --secret-file.',
  options: {
    app: APP_OPTION,
    ...LISTEN_OPTIONS,
    forward: FORWARD_OPTIONS.forward,
    'secret-file': {
      value: 'FILE',
      help: 'File with the secret for signing, or with the secret of the hook that sends to the receiver.',
    },
    json: { help: 'Print one JSON line per event; other output goes to standard error.' },
    ...RECEIVER_OPTIONS,
  },
  async run(io, args) {
    const isReceiver = needsReceiver(io, args)
    const options = listenOptionsOf(args)
    return isReceiver ? receiveEvents(io, args, options) : pullHook(io, args, options)
  },
}

/**
 * A secret without `--forward` belongs to an existing hook, which sends its requests to a receiver. Throws
 * `UsageError`.
 */
function needsReceiver(io: Io, args: Arguments): boolean {
  const option = Object.keys(RECEIVER_OPTIONS).find(
    (name) => args.isOn(name) || args.option(name) !== undefined,
  )
  if (forwardUrl(args) !== null) {
    if (option === undefined) return false
    throw new UsageError(`--forward pulls events: leave out --${option}.`)
  }
  if (option !== undefined || args.option('secret-file') !== undefined) return true
  return args.option('app') === undefined && listenConfigOf(io.environment).secret !== null
}
