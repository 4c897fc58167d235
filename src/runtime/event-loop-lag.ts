import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Clock } from './clock.ts'
import type { Part } from './supervisor.ts'

/** Lag of the event loop in seconds since the last reading. */
export type LagReading = { readonly p50: number; readonly p99: number; readonly max: number }

/** Returns the lag since the previous call. */
export type LagMeter = { readonly read: () => LagReading }

/** Interval of the measured timers. A shorter one costs more without better precision for seconds. */
const RESOLUTION_MS = 20

/** Starts measuring. The lag is the delay of a timer beyond its interval. */
export function measureLag(): LagMeter {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // The histogram contains the time between two timers, including the interval.
  const secondsOf = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / 1e9 - RESOLUTION_MS / 1e3) : 0)
  return {
    read: () => {
      const reading = {
        p50: secondsOf(histogram.percentile(50)),
        p99: secondsOf(histogram.percentile(99)),
        max: histogram.count === 0 ? 0 : secondsOf(histogram.max),
      }
      histogram.reset()
      return reading
    },
  }
}

/** Length of a window; its highest lag counts. */
export const LAG_WINDOW_MS = 5_000
/** A window with more lag, in seconds, is slow: HTTP requests and receivers' answers wait that long. */
export const LAG_SECONDS_MAX = 1
/**
 * Slow windows in a row that count as a problem: 15 s. A single long pause, such as a checkpoint or a stopped process,
 * ends before a load balancer could react.
 */
export const LAG_WINDOWS_MAX = 3

/** Measures the lag and reports a problem while it stays above a second. */
export function lagWatch(meter: LagMeter, clock: Pick<Clock, 'sleep' | 'monotonicMs'>): Part {
  let slow: number[] = []
  return {
    name: 'event_loop',
    async run(signal) {
      while (!signal.aborted) {
        const startedMs = clock.monotonicMs()
        await clock.sleep(LAG_WINDOW_MS, signal)
        // The meter misses a pause that starts at its reading. Then this sleep ends late.
        const lateSeconds = (clock.monotonicMs() - startedMs - LAG_WINDOW_MS) / 1_000
        const max = Math.max(meter.read().max, lateSeconds)
        slow = max > LAG_SECONDS_MAX ? [...slow, max].slice(-LAG_WINDOWS_MAX) : []
      }
    },
    problem: () =>
      slow.length < LAG_WINDOWS_MAX
        ? null
        : `The event loop lagged by more than ${LAG_SECONDS_MAX} s in each of the last ${LAG_WINDOWS_MAX} windows of ${LAG_WINDOW_MS / 1_000} s, by ${Math.max(...slow).toFixed(1)} s at most: the machine is overloaded, or a computation blocks the main thread.`,
  }
}
