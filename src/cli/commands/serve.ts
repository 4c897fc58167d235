import { systemClock } from '../../runtime/clock.ts'
import { configOf } from '../../service/config/config.ts'
import type { Command } from '../command.ts'
import { stopSignals } from '../stop-signal.ts'

/**
 * Time for releasing the claims of aborted requests, so that they are due at once instead of at the end of their lease.
 */
const FORCED_STOP_MS = 2_000
/** The exit status when a part was still running after the grace period, or after a second signal. */
const FORCED = 2

export const serve: Command = {
  about:
    'Runs the service until SIGTERM or SIGINT. It then starts no new work, finishes running work within ten seconds and stops. A second signal stops it at once. Nothing is lost: unfinished work continues after the next start.',
  options: {},
  async run({ environment, err }) {
    const config = configOf(environment)
    using signals = stopSignals()
    const { createService } = await import('../../service/service.ts')
    const service = await createService(config)
    try {
      const setup = await service.start()
      // Not only in the log, whose JSON is hard to copy from.
      if (setup !== null)
        err(`Setup code: ${setup.code}\nEnter it at ${setup.open} to create the first user.\n`)
    } catch (error) {
      await service.stop(0)
      throw error
    }
    await signals.first
    const forced = signals.second.then(async () => {
      service.abortInFlight()
      await systemClock.sleep(FORCED_STOP_MS)
      return null
    })
    const left = await Promise.race([service.stop(), forced])
    if (left !== null && left.length === 0) return 0
    err(
      left === null
        ? 'radar serve: aborted before all work had stopped. Nothing is lost.\n'
        : `radar serve: still running: ${left.join(', ')}.\n`,
    )
    return FORCED
  },
}
