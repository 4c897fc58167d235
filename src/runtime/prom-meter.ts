import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS, type Meter } from './meter.ts'

/** Prefix of every name. */
const PREFIX = 'radar_'

/** In seconds, from a fast answer of a receiver to a delivery that is an hour late. */
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 300, 3600]
const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** A value that is read at each request for the metrics. */
export type GaugeReading = {
  readonly name: string
  readonly help: string
  readonly values: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

export type PromMeter = {
  readonly meter: Meter
  /** All metrics in Prometheus's text format; `gauges` are the current values of `read`. */
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** A meter for Prometheus. `read` returns the gauges; if it rejects, they are omitted. */
export function createPromMeter(read: () => Promise<readonly GaugeReading[]>): PromMeter {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  for (const [name, { kind, help, labels }] of Object.entries(METRICS)) {
    const options = { name: PREFIX + name, help, labelNames: [...labels], registers: [registry] }
    if (kind === 'counter') counters.set(name, new Counter(options))
    else {
      const buckets = name.endsWith('_seconds') ? SECONDS_BUCKETS : SIZE_BUCKETS
      histograms.set(name, new Histogram({ ...options, buckets }))
    }
  }
  const gauges = new Map<string, Gauge>()

  return {
    meter: {
      count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
      observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    },
    async scrape() {
      for (const gauge of gauges.values()) gauge.reset()
      for (const { name, help, values } of await read().catch(() => [])) {
        const labelNames = Object.keys(values[0]?.labels ?? {})
        const gauge =
          gauges.get(name) ?? new Gauge({ name: PREFIX + name, help, labelNames, registers: [registry] })
        gauges.set(name, gauge)
        for (const { labels, value } of values) gauge.set(labels, value)
      }
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
