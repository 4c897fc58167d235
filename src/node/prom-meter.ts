import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import {
  type GaugeName,
  type GaugeReaders,
  knownSeries,
  METRICS,
  type Meter,
  type MetricName,
} from '../model/metrics.ts'
import type { Log } from '../runtime/log.ts'

/** Prefix of every name. */
const PREFIX = 'radar_'

/** In seconds, from a fast answer of a receiver to a delivery that is an hour late. */
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 300, 3600]
const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
/** A gauge that takes longer is omitted: Prometheus gives a page 10 s by default. */
const READ_MS_MAX = 5_000

export type PromMeter = {
  readonly meter: Meter
  /** All metrics in Prometheus's text format. Those that cannot be read are omitted, counted and logged. */
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** A meter for Prometheus. `readers` read the gauges at each scrape, for `readMsMax` at most. */
export function createPromMeter(readers: GaugeReaders, log: Log, readMsMax: number = READ_MS_MAX): PromMeter {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  const gauges = new Map<GaugeName, Gauge>()
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { kind, help, labels } = METRICS[name]
    const options = { name: PREFIX + name, help, labelNames: Object.keys(labels[0]), registers: [registry] }
    if (kind === 'gauge') gauges.set(name as GaugeName, new Gauge(options))
    else if (kind === 'counter') {
      const counter = new Counter(options)
      counters.set(name, counter)
      for (const series of knownSeries(name)) counter.inc(series, 0)
    } else {
      const buckets = name.endsWith('_seconds') ? SECONDS_BUCKETS : SIZE_BUCKETS
      const histogram = new Histogram({ ...options, buckets })
      histograms.set(name, histogram)
      for (const series of knownSeries(name)) histogram.zero(series)
    }
  }
  const meter: Meter = {
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
  }

  /** Reads all gauges. Returns the names and errors of those that failed. */
  async function readGauges(): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>()
    const deadline = AbortSignal.timeout(readMsMax)
    const late = new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () => reject(deadline.reason))
    })
    late.catch(() => {})
    await Promise.all(
      Array.from(gauges, async ([name, gauge]) => {
        try {
          const reading = await Promise.race([readers[name](), late])
          gauge.reset()
          for (const series of knownSeries(name)) gauge.set(series, 0)
          for (const { labels, value } of typeof reading === 'number'
            ? [{ labels: {}, value: reading }]
            : reading)
            gauge.set(labels, value)
        } catch (error) {
          failed.set(PREFIX + name, error)
          meter.count('metric_failures_total', { metric: name })
        }
      }),
    )
    return failed
  }

  return {
    meter,
    async scrape() {
      const failed = await readGauges()
      const texts: string[] = []
      for (const { name } of registry.getMetricsAsArray()) {
        if (failed.has(name)) continue
        try {
          texts.push(await registry.getSingleMetricAsString(name))
        } catch (error) {
          failed.set(name, error)
          meter.count('metric_failures_total', { metric: 'other' })
        }
      }
      if (failed.size > 0) {
        const [error] = failed.values()
        log.warn('metrics.omitted', { metrics: [...failed.keys()], error })
      }
      return { contentType: registry.contentType, text: `${texts.join('\n\n')}\n` }
    },
  }
}
