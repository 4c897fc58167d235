import { systemClock } from '../../runtime/clock.ts'
import { configOf } from '../../service/config/config.ts'
import type { Command } from '../command.ts'
import { stopSignals } from '../stop-signal.ts'

/** What requests that were cut off may take to be given back to the queue, which spares them the wait for their lease. */
const INSISTED_MS = 2_000
/** Exit status when something still ran after the grace, or somebody insisted. */
const FORCED = 2

export const serve: Command = {
  about:
    'Runs the service until SIGTERM or SIGINT. It then takes nothing new, finishes what is under way within ten seconds and ends; a second signal cuts that off. Either way nothing is lost: what was not finished is done after the next start.',
  options: {},
  async run({ environment, err }) {
    const config = configOf(environment)
    using signals = stopSignals()
    const { createService } = await import('../../service/service.ts')
    const service = await createService(config)
    try {
      await service.start()
    } catch (error) {
      await service.stop(0)
      throw error
    }
    await signals.first
    const insisted = signals.second.then(async () => {
      service.cut()
      await systemClock.sleep(INSISTED_MS)
      return null
    })
    const left = await Promise.race([service.stop(), insisted])
    if (left !== null && left.length === 0) return 0
    err(
      left === null
        ? 'radar serve: ended although not everything had stopped; nothing is lost by that.\n'
        : `radar serve: still running: ${left.join(', ')}.\n`,
    )
    return FORCED
  },
}
