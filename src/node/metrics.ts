import type { GaugeReaders } from '../model/metrics.ts'
import { SOURCE_STATES } from '../model/source-health.ts'
import { STORES } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import type { LagMeter } from '../runtime/event-loop-lag.ts'
import type { Log } from '../runtime/log.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { DiskWatch } from './disk-watch.ts'
import { liveNodes } from './heartbeat.ts'
import { createPromMeter, type PromMeter } from './prom-meter.ts'
import type { Timekeeper } from './time/keeper.ts'

/** Exact counts of millions of rows are slow, so frequent scrapes get cached values. */
const READING_KEPT_MS = 15_000

type MetricsDeps = {
  readonly storage: Pick<Storage, 'maintenance' | 'feeds' | 'sourceHealth'>
  readonly clock: Clock
  readonly keeper: Pick<Timekeeper, 'skewMs' | 'state' | 'isConfirmed'>
  readonly lag: LagMeter
  readonly disk: Pick<DiskWatch, 'state'>
  readonly version: string
  readonly log: Log
}

/** The pipeline's meter and the metrics for Prometheus: its counters, and gauges read from storage. */
export function createMetrics(deps: MetricsDeps): PromMeter {
  return createPromMeter(gaugeReaders(deps), deps.log)
}

function gaugeReaders({ storage, clock, keeper, lag, disk, version }: MetricsDeps): GaugeReaders {
  const kept = <T>(read: () => Promise<T>) => keptFor(READING_KEPT_MS, clock, read)
  const depths = kept(() => storage.maintenance.depths(clock.now()))
  const feeds = kept(() => storage.feeds.counts())
  const nodes = kept(() => liveNodes(storage.maintenance, clock.now()))
  const overdue = kept(() => storage.feeds.overdue(clock.now(), 0))
  return {
    queue_depth: async () => {
      const read = await depths()
      return (['pending', 'held', 'dead'] as const).map((state) => ({
        labels: { state },
        value: read[state],
      }))
    },
    dlq_size: async () => (await depths()).dead,
    oldest_due_age_seconds: async () => {
      const { oldestDueAt } = await depths()
      return oldestDueAt === null ? 0 : Math.max(0, clock.now().getTime() - oldestDueAt.getTime()) / 1_000
    },
    waiting_for_enrichment: async () => (await depths()).waitingForEnrichment,
    waiting_for_fanout: async () => (await depths()).waitingForFanOut,
    breakers_open: async () => (await depths()).breakersOpen,
    feeds: async () =>
      (await feeds()).flatMap(({ store, kind, ...counts }) =>
        (['active', 'failing', 'due', 'fallback', 'frozen'] as const).map((state) => ({
          labels: { store, kind, state },
          value: counts[state],
        })),
      ),
    sources: kept(async () => {
      const records = await storage.sourceHealth.list()
      return STORES.flatMap((store) =>
        SOURCE_STATES.map((state) => ({
          labels: { store, state },
          value: records.filter((record) => record.store === store && record.state === state).length,
        })),
      )
    }),
    quarantined_rows: async () =>
      (await feeds())
        .filter(({ kind }) => kind === 'reviews')
        .map(({ store, quarantined }) => ({ labels: { store }, value: quarantined })),
    feeds_overdue: async () => (await overdue()).count,
    clock_skew_seconds: async () => keeper.skewMs() / 1_000,
    clock_jumps: async () => keeper.state().steps,
    clock_last_jump_seconds: async () =>
      keeper.isConfirmed() ? 0 : (keeper.state().lastJump?.byMs ?? 0) / 1_000,
    clock_unconfirmed: async () => (keeper.isConfirmed() ? 0 : 1),
    event_loop_lag_seconds: kept(async () => {
      const read = lag.read()
      return (['p50', 'p99', 'max'] as const).map((quantile) => ({
        labels: { quantile },
        value: read[quantile],
      }))
    }),
    nodes: async () => (await nodes()).length,
    disk_free_bytes: async () => disk.state().space?.freeBytes ?? Number.NaN,
    disk_full: async () => (disk.state().level === 'full' ? 1 : 0),
    storage_bytes: kept(() => storage.maintenance.sizeBytes()),
    build_info: async () => [{ labels: { version }, value: 1 }],
  }
}

/** The same answer for `ms`. A failure is not kept. */
function keptFor<T>(ms: number, clock: Pick<Clock, 'monotonicMs'>, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly answer: Promise<T> } | null = null
  return () => {
    const nowMs = clock.monotonicMs()
    if (kept === null || nowMs - kept.at >= ms) {
      const answer = read()
      kept = { at: nowMs, answer }
      answer.catch(() => {
        kept = null
      })
    }
    return kept.answer
  }
}
