import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type NamedSourceHealth, unprovenSource } from '../../../model/source-health.ts'
import type { Engine } from '../harness.ts'
import { jump } from '../maintenance/time.ts'
import { after, HOUR, MINUTE, NOON } from '../samples.ts'

const SOURCES = ['rss', 'web'] as const

export function sourceHealthSuite({ open, openAgain }: Engine): void {
  describe('the health of sources', () => {
    it('a source without a record is unproven', async () => {
      await using storage = await open()
      assert.deepEqual(await storage.sourceHealth.list('apple'), [])
      const unproven = SOURCES.map((source) => ({ store: 'apple', source, ...unprovenSource(NOON) }))
      await storage.sourceHealth.change('apple', SOURCES, NOON, (records, now) => {
        assert.deepEqual([records, now.getTime()], [unproven, NOON.getTime()])
        return []
      })
    })

    it('the health of a source is stored with all of its evidence, for each store', async () => {
      await using storage = await open()
      const web: NamedSourceHealth = {
        ...{ store: 'apple', source: 'web', state: 'off', fault: 'empty', since: after(MINUTE) },
        ...{ suspected: 'empty', suspectApps: ['310633997', '42'], probeAt: after(HOUR), probes: 3 },
        ...{ answers: 12.25, emptyAnswers: 6.5, unsortedAnswers: 0.125, blockedAnswers: 1 },
        ...{ countedAt: after(MINUTE), newestAt: after(-HOUR), overlap: 0.75, checkedAt: NOON, checks: 5 },
      }
      await storage.sourceHealth.change('apple', SOURCES, NOON, () => [web])
      const rss = { store: 'apple', source: 'rss', ...unprovenSource(NOON) } as const
      const google = { store: 'google', source: 'UsvDTd', ...unprovenSource(NOON) } as const
      assert.deepEqual(await storage.sourceHealth.list('apple'), [rss, web])
      await storage.sourceHealth.change('google', ['UsvDTd'], NOON, () => [])
      assert.deepEqual(await storage.sourceHealth.list('apple'), [rss, web])
      assert.deepEqual(await storage.sourceHealth.list(), [rss, web, google])
      await storage.sourceHealth.change('apple', ['web'], after(1), (records) => {
        assert.deepEqual(records, [web], 'only the asked sources, with their state')
        return []
      })
    })

    it('concurrent changes of a source are all kept, including the first ones', async () => {
      await using storage = await open()
      await using other = await openAgain()
      const count = 25
      await Promise.all(
        [storage, other].flatMap((each) =>
          Array.from({ length: count }, () =>
            each.sourceHealth.change('apple', SOURCES, NOON, (records) =>
              records.map((record) => ({ ...record, probes: record.probes + 1 })),
            ),
          ),
        ),
      )
      const records = await storage.sourceHealth.list('apple')
      assert.deepEqual(
        records.map(({ probes }) => probes),
        [2 * count, 2 * count],
      )
    })

    it('the times of a source follow a clock that jumps back', async () => {
      await using storage = await open()
      await storage.sourceHealth.change('apple', ['rss'], after(HOUR), ([record]) =>
        record === undefined
          ? []
          : [{ ...record, state: 'off', fault: 'empty', probeAt: after(3 * HOUR), checkedAt: after(HOUR) }],
      )
      await jump(storage, after(HOUR), NOON)
      const [record] = await storage.sourceHealth.list('apple')
      assert.deepEqual([record?.since, record?.checkedAt, record?.probeAt], [NOON, NOON, after(2 * HOUR)])
    })
  })
}
