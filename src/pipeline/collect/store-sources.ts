import type { Meter } from '../../model/metrics.ts'
import { ORDERED_REVIEWS_MIN } from '../../model/newest-first.ts'
import {
  afterAnswer,
  afterProbe,
  afterUnasked,
  type NamedSourceHealth,
  type SourceAnswer,
  type SourceOrder,
  sourceOrder,
  sourceSentence,
  unprovenSource,
} from '../../model/source-health.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { SourceHealthStorage } from '../../storage/port/source-health.ts'
import type { AppStore, ReviewsPage } from '../appstores/appstore.ts'
import { newestOf } from './source-selection.ts'

export type StoreSourcesDeps = {
  readonly storage: SourceHealthStorage
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
}

/** The sources of a store as all feeds of all nodes know them. */
export type StoreSources = {
  /** How to ask them now. A poll that `mayProbe` may ask one that is due for a probe first. */
  readonly order: (mayProbe: boolean) => Promise<SourceOrder & { readonly frozen: ReadonlySet<string> }>
  /** Learns from the first page of a poll; `older`: another source showed newer reviews than this one. */
  readonly learn: (appId: string, page: ReviewsPage, older?: string | null) => Promise<void>
  /** Changes the records by other findings. */
  readonly change: (next: NextRecords) => Promise<void>
}

/** The records of all sources after a change. One that stays the same object is not written. May be called more than once. */
export type NextRecords = (records: readonly NamedSourceHealth[], now: Date) => readonly NamedSourceHealth[]

/** A change of a source is reported once for the store: here in the log, and by the stored state. */
export function createStoreSources(
  { storage, clock, log, meter }: StoreSourcesDeps,
  { store, reviewSources }: Pick<AppStore, 'store' | 'reviewSources'>,
): StoreSources {
  async function change(next: NextRecords): Promise<void> {
    let before: readonly NamedSourceHealth[] = []
    let after = before
    await storage.change(store, reviewSources, clock.now(), (records, now) => {
      before = records
      after = next(records, now)
      return after.filter((record, index) => record !== before[index])
    })
    for (const [index, record] of after.entries()) report(before[index] as NamedSourceHealth, record)
  }

  function report(before: NamedSourceHealth, after: NamedSourceHealth): void {
    if (before.state === after.state && before.fault === after.fault) return
    const { source, state, fault, probeAt } = after
    const about = { store, source, state, fault, detail: sourceSentence(after) }
    if (fault === null) {
      if (before.fault !== null) log.info('source.on', about)
      return
    }
    if (state === 'off') meter.count('store_blocks_total', { store })
    const event = { ...about, probe_at: probeAt?.toISOString() }
    // A fault is reported once: by chance, a source with empty pages at random shows five in a row.
    if (before.fault === fault) log.info('source.changed', event)
    else if (state === 'off') log.warn('source.off', event)
    else log.warn('source.degraded', event)
  }

  return {
    change,

    async order(mayProbe) {
      const known = new Map((await storage.list(store)).map((record) => [record.source, record]))
      const now = clock.now()
      const healthOf = (source: string) => known.get(source) ?? unprovenSource(now)
      const due = reviewSources.find((source) => isDue(healthOf(source).probeAt, now))
      const probed = mayProbe && due !== undefined && (await claimProbe(due)) ? due : null
      const isFrozen = (source: string) => healthOf(source).fault === 'frozen'
      return {
        ...sourceOrder(reviewSources, healthOf, probed),
        frozen: new Set(reviewSources.filter(isFrozen)),
      }
    },

    async learn(appId, page, older = null) {
      const answers = answersOf(page, clock.now())
      if (older !== null) answers.set(older, { kind: 'frozen' })
      if (answers.size === 0) return
      const served = [...answers].find(([, { kind }]) => kind === 'served')?.[0]
      const later = served === undefined ? [] : reviewSources.slice(reviewSources.indexOf(served) + 1)
      await change((records, now) =>
        records.map((record) => {
          const answer = answers.get(record.source)
          if (answer !== undefined) return { ...record, ...afterAnswer(record, answer, appId, now) }
          const isSuspected = later.includes(record.source) && record.suspected !== null
          return isSuspected ? { ...record, ...afterUnasked(record) } : record
        }),
      )
    },
  }

  /** One poll of all nodes probes a source. */
  async function claimProbe(source: string): Promise<boolean> {
    let isClaimed = false
    await change((records, now) => {
      const isDueHere = (record: NamedSourceHealth) => record.source === source && isDue(record.probeAt, now)
      isClaimed = records.some(isDueHere)
      return records.map((record) => (isDueHere(record) ? { ...record, ...afterProbe(record, now) } : record))
    })
    return isClaimed
  }
}

function isDue(probeAt: Date | null, now: Date): boolean {
  return probeAt !== null && probeAt <= now
}

/**
 * What the first page of a poll says about the sources that were asked for it. An empty page proves something only of an app whose
 * reviews another source has.
 */
export function answersOf(page: ReviewsPage, now: Date): Map<string, SourceAnswer> {
  const answers = new Map<string, SourceAnswer>()
  if (page.kind !== 'ok' || page.reviews.length === 0) return answers
  for (const { kind, source, emptyPage, unordered } of page.earlierFailures ?? []) {
    if (emptyPage === true) answers.set(source, { kind: 'empty' })
    else if (unordered === true) answers.set(source, { kind: 'unsorted' })
    else if (kind === 'changed' || kind === 'blocked') answers.set(source, { kind })
  }
  if (page.partial === true) return answers
  const sorted = page.reviews.length >= ORDERED_REVIEWS_MIN
  answers.set(page.source, { kind: 'served', newestAt: newestOf(page.reviews, now), sorted })
  return answers
}
