import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

const RESOLUTION_MS = 5

/** The longest time that `act` blocked the event loop, in milliseconds. */
export async function longestBlockMs(act: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  // The measurement starts with its first tick.
  await setTimeout(2 * RESOLUTION_MS)
  await act()
  await setTimeout(2 * RESOLUTION_MS)
  delay.disable()
  return delay.max / 1e6
}
