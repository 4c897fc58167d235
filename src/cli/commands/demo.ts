import { configOf } from '../../service/config/config.ts'
import { type Command, CommandFailed, numberOption } from '../command.ts'
import { stopSignals } from '../stop-signal.ts'

export const demo: Command = {
  about:
    'Starts two simulated stores, the service on a temporary database and a receiver that verifies signatures, and prints each event as it arrives. It requires no network and leaves no files.',
  options: {
    port: { value: 'N', help: 'Port of the service; RADAR_PORT or 8080 by default, 0 selects a free port.' },
    seconds: { value: 'N', help: 'Stop after this many seconds; fail if no event arrived.' },
    verbose: { help: "Also print the service's log, on standard error." },
  },
  async run({ out, environment }, args) {
    const { RADAR_PORT } = environment
    const port = numberOption(args, 'port', 0, 65_535) ?? configOf({ RADAR_PORT }).port
    const seconds = numberOption(args, 'seconds', 1, 86_400)
    const [{ runDemo }, { createLog }, { systemClock }] = await Promise.all([
      import('../demo/run-demo.ts'),
      import('../../runtime/pino-log.ts'),
      import('../../runtime/clock.ts'),
    ])
    using signals = stopSignals()
    const over = new AbortController()
    const run = runDemo({
      port,
      print: out,
      log: args.isOn('verbose') ? createLog('info', process.stderr) : undefined,
      stop: async () => {
        const wait = seconds === undefined ? [] : [systemClock.sleep(seconds * 1_000, over.signal)]
        await Promise.race([signals.first, ...wait])
        over.abort()
      },
    })
    // Ctrl-C during the start takes effect after it; a second one ends the command at once.
    const result = await Promise.race([run, signals.second.then(() => null)])
    if (result === null) return 2
    const { reviews, drops, spikes, repeats } = result
    const events = reviews + drops + spikes
    // The demo is over before the first spike if it is short.
    const counts =
      spikes === 0
        ? `${reviews} reviews and ${drops} rating drops`
        : `${reviews} reviews, ${drops} rating drops and ${spikes} spikes of negative reviews`
    out(`\n${counts} arrived, all signed; ${repeats} repeated.\n`)
    if (result.rejected > 0) throw new CommandFailed(`The receiver rejected ${result.rejected} requests.`)
    if (seconds !== undefined && events === 0)
      throw new CommandFailed(`No event arrived within ${seconds} s.`)
    return 0
  },
}
