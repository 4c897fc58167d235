import { configOf } from '../../service/config/config.ts'
import type { Command } from '../command.ts'
import { stopSignals } from '../stop-signal.ts'

/** Exit status when something still ran after the grace, or somebody insisted. */
const FORCED = 2

export const serve: Command = {
  about:
    'Runs the service until SIGTERM or SIGINT. It then takes nothing new, finishes what is under way within ten seconds and ends; a second signal ends it at once. Either way nothing is lost: what was not finished is done after the next start.',
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
    const left = await Promise.race([service.stop(), signals.second.then(() => null)])
    if (left !== null && left.length === 0) return 0
    err(
      left === null ? 'radar serve: stopped at once.\n' : `radar serve: still running: ${left.join(', ')}.\n`,
    )
    return FORCED
  },
}
