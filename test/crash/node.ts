import { once } from 'node:events'
import { STOP_GRACE_MS } from '../../src/runtime/supervisor.ts'
import { configOf } from '../../src/service/config/config.ts'
import { createService } from '../../src/service/service.ts'
import { testClock } from '../support/clock.ts'

/**
 * Runs the service with a faster clock, so that leases, retention and retries of minutes fit into rounds of seconds. The
 * arguments are the anchor and the speed of the clock; the environment has the settings.
 */
const [anchorMs, speed = 1] = process.argv.slice(2).map(Number)
const service = await createService(configOf(process.env), { clock: testClock({ anchorMs, speed }) })
await service.start()
await once(process, 'SIGTERM')
// Receivers run in real time, so the grace period must too.
const left = await service.stop(STOP_GRACE_MS * speed)
process.exitCode = left.length === 0 ? 0 : 2
