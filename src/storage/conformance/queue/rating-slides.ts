import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { jump } from '../maintenance/time.ts'
import { addPeople, after, HOUR, MINUTE, NOON, SECOND, subscribe, watchOf } from '../samples.ts'
import { eventOf, observeRating } from './queue-samples.ts'

const RATING = { eventType: 'rating.dropped', deltaMicros: 100_000, deltaWindowHours: 24 } as const

/** Fans out, and lets the watches `firing` fire in `market`. Returns the last events that the candidates had before. */
async function fanOut(
  storage: Storage,
  now: Instant,
  fire: {
    readonly hook: Parameters<typeof eventOf>[0]
    readonly firing: readonly string[]
    readonly market: string
  },
): Promise<string[]> {
  const seen: string[] = []
  await storage.occurrences.fanOut({ now, limit: 100, expireAfterMs: HOUR }, (occurrence, candidates) => {
    for (const { slideFiredAt } of candidates) {
      seen.push(
        `${occurrence.market} ${slideFiredAt === null ? 'never' : slideFiredAt.getTime() - NOON.getTime()}`,
      )
    }
    return occurrence.market === fire.market
      ? [{ ...eventOf(fire.hook, occurrence.occurrenceId), slides: fire.firing }]
      : []
  })
  return seen.sort()
}

export function slidesSuite({ open, openAgain }: Engine): void {
  describe('a watch with a window', () => {
    it('a watch with a window has the time of its last event in each market, also within one commit and after a restart', async () => {
      {
        await using storage = await open()
        await addPeople(storage)
        const { hook, watch } = await subscribe(storage, {}, { ...RATING, storefronts: ['us', 'de'] })
        const fire = { hook, firing: [watch.id], market: 'us' }
        await observeRating(storage, 4.5, NOON)
        await observeRating(storage, 4.4, after(SECOND))
        await observeRating(storage, 4.3, after(MINUTE))
        assert.deepEqual(await fanOut(storage, after(MINUTE), fire), [
          'de never',
          'de never',
          'us 1000',
          'us never',
        ])
        await observeRating(storage, 4.2, after(HOUR))
      }
      await using storage = await openAgain()
      const [hook] = await storage.hooks.list('alice')
      const fire = { hook: hook ?? assert.fail(), firing: [], market: 'us' }
      assert.deepEqual(await fanOut(storage, after(HOUR), fire), ['de never', 'us 60000'])
    })

    it('a watch with a window fires once when two nodes fan out two drops of one slide at once', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, RATING)
      for (let round = 0; round < 5; round += 1) {
        const at = (minutes: number) => after(round * HOUR + minutes * MINUTE)
        await observeRating(storage, 4.5 + round / 100, at(0))
        await storage.occurrences.fanOut({ now: at(0), limit: 10, expireAfterMs: HOUR }, () => [])
        await observeRating(storage, 4.4 + round / 100, at(1))
        await observeRating(storage, 4.3 + round / 100, at(2))
        const fired: number[] = []
        const since = at(0).getTime()
        const fanOutOne = (node: Storage) =>
          node.occurrences.fanOut({ now: at(2), limit: 1, expireAfterMs: HOUR }, (occurrence, candidates) => {
            const [candidate] = candidates
            if ((candidate?.slideFiredAt?.getTime() ?? 0) >= since) return []
            fired.push(occurrence.seq)
            return [{ ...eventOf(hook, `${occurrence.seq}`), slides: [watch.id] }]
          })
        await Promise.all([fanOutOne(storage), fanOutOne(other)])
        assert.equal(fired.length, 1, `round ${round}`)
      }
    })

    it('a watch with a window has its event also if the event exists, and never an earlier one again', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, RATING)
      await observeRating(storage, 4.5, after(HOUR))
      await observeRating(storage, 4.4, after(2 * HOUR))
      const twice = { hook, firing: [watch.id, watch.id], market: 'us' }
      await storage.occurrences.fanOut({ now: after(2 * HOUR), limit: 1, expireAfterMs: HOUR }, () => [
        { ...eventOf(hook, 'same'), slides: [] },
        { ...eventOf(hook, 'same'), slides: [watch.id] },
      ])
      await observeRating(storage, 4.3, after(3 * HOUR))
      assert.deepEqual(await fanOut(storage, after(3 * HOUR), twice), [`us ${2 * HOUR}`])
    })

    it('a watch with a window loses its last event when it changes or is removed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, RATING)
      const fire = { hook, firing: [watch.id], market: 'us' }
      await observeRating(storage, 4.5, NOON)
      await observeRating(storage, 4.4, after(SECOND))
      await fanOut(storage, after(SECOND), fire)
      await storage.hooks.updateWatch('alice', { ...watch, deltaWindowHours: 48, createdAt: after(MINUTE) })
      await observeRating(storage, 4.3, after(2 * MINUTE))
      assert.deepEqual(await fanOut(storage, after(2 * MINUTE), fire), ['us never'])
      await storage.hooks.addWatch('alice', watchOf(hook, { ...RATING, createdAt: after(1) }))
      await storage.hooks.removeWatch('alice', hook.id, watch.id, after(HOUR))
      await observeRating(storage, 4.2, after(HOUR))
      assert.deepEqual(await fanOut(storage, after(HOUR), { ...fire, firing: [] }), ['us never'])
      await storage.hooks.remove('alice', hook.id, after(HOUR))
    })

    it('a watch with a window counts its event as sent by now, also if the clock was ahead at the drop', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, { ...RATING, storefronts: ['us'] })
      const fire = { hook, firing: [watch.id], market: 'us' }
      await observeRating(storage, 4.5, NOON)
      await observeRating(storage, 4.4, after(HOUR))
      await jump(storage, after(HOUR), after(MINUTE))
      assert.deepEqual(await fanOut(storage, after(MINUTE), fire), ['us never'])
      await observeRating(storage, 4.3, after(2 * MINUTE))
      assert.deepEqual(await fanOut(storage, after(2 * MINUTE), fire), [`us ${MINUTE}`])
    })
  })
}
