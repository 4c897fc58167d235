import {
  type NamedSourceHealth,
  type SourceFault,
  type SourceState,
  unprovenSource,
} from '../../../model/source-health.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, instant, integer, json, nullable, real, text, word } from '../../columns.ts'
import type { SourceHealthStorage } from '../../port/source-health.ts'
import { type Db, sql } from '../../work.ts'

const RECORD = columns({
  store: word<Store>(),
  source: text,
  state: word<SourceState>(),
  fault: nullable(word<SourceFault>()),
  since: instant,
  suspected: nullable(word<SourceFault>()),
  suspectApps: json<readonly string[]>(),
  probeAt: nullable(instant),
  probes: integer,
  answers: real,
  emptyAnswers: real,
  unsortedAnswers: real,
  blockedAnswers: real,
  countedAt: instant,
  newestAt: nullable(instant),
  overlap: nullable(real),
  checkedAt: nullable(instant),
  checks: integer,
})

const OF_STORE = sql((d) => `from source_health where store = ?1 order by source ${d.forUpdate()}`)

export function sourceHealthStorage(db: Db): SourceHealthStorage {
  return {
    list: (store) =>
      db.alone(
        store === undefined
          ? RECORD.all('from source_health order by store, source')
          : RECORD.all('from source_health where store = ?1 order by source', store),
      ),

    change: (store, sources, now, change) =>
      db.transaction(function* () {
        const unproven = sources.map((source) => ({ store, source, ...unprovenSource(now) }))
        let known = yield* RECORD.all(OF_STORE, store)
        if (!sources.every((source) => known.some((one) => one.source === source))) {
          // Rows to lock, also for a first change of another node.
          yield* RECORD.insertAll('source_health', unproven, 'on conflict do nothing')
          known = yield* RECORD.all(OF_STORE, store)
        }
        const bySource = new Map(known.map((one) => [one.source, one]))
        const records = sources.map((source) => bySource.get(source) as NamedSourceHealth)
        for (const record of change(records, now))
          yield* RECORD.update('source_health', record, 'store = ?1 and source = ?2', store, record.source)
      }),
  }
}
