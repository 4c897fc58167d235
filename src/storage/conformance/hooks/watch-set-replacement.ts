import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AppKey, Hook, Watch, WatchSet } from '../../../model/hook.ts'
import { newId } from '../../../model/ids.ts'
import type { Instant, WithInstants } from '../../../runtime/instant.ts'
import { LimitReached } from '../../port/errors.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { eventOf, observeRating } from '../queue/queue-samples.ts'
import { addPeople, after, HOUR, MINUTE, NOON, pollSet, SECOND, subscribe } from '../samples.ts'

const ONE: AppKey = { store: 'apple', appId: '1' }
const TWO: AppKey = { store: 'apple', appId: '2' }
const SLIDE = { eventType: 'rating.dropped', deltaMicros: 100_000, deltaWindowHours: 24 } as const

/** The set that a watch becomes, a second after noon. */
function setLike(
  { hookId, accountId, id: _, store, appId, setId, ...filter }: Watch,
  apps: WatchSet['apps'],
) {
  return { ...filter, id: newId('set'), hookId, accountId, apps, createdAt: after(SECOND) }
}

/** The watch that a set becomes, a minute after noon. */
function watchLike({ apps: _, ...rule }: WatchSet, app: AppKey): WithInstants<Watch> {
  return { ...rule, ...app, id: newId('wat'), setId: null, createdAt: after(MINUTE) }
}

/** The watches of a hook as app, whether one of a set, and creation. */
async function watchesOf(storage: Storage, { accountId, id }: Hook): Promise<string[]> {
  const { watches = [] } = (await storage.hooks.get(accountId, id)) ?? {}
  return watches
    .map(({ appId, setId, createdAt }) => `${appId} ${setId ? 'set' : 'own'} +${+createdAt - +NOON}`)
    .sort()
}

/** Observes a rating of app 1; every lower one is a drop. Returns the last event that each watch had before. */
async function rate(storage: Storage, hook: Hook, value: number, at: Instant): Promise<(number | null)[]> {
  await observeRating(storage, value, at)
  const last: (number | null)[] = []
  await storage.occurrences.fanOut({ now: at, limit: 100, expireAfterMs: HOUR }, (occurrence, candidates) => {
    last.push(...candidates.map(({ slideFiredAt }) => slideFiredAt && +slideFiredAt - +NOON))
    const slides = candidates.map(({ watch }) => watch.id)
    return [{ ...eventOf(hook, occurrence.occurrenceId), slides }]
  })
  return last
}

export function watchSetReplacementSuite({ open, openAgain }: Engine): void {
  describe('a watch that becomes a watch set', () => {
    it('a watch that becomes a watch set keeps its app from its own creation on, and covers the others from the change on', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const set = setLike(watch, [ONE, TWO])
      assert.equal(await storage.hooks.replaceWatchBySet('alice', watch.id, set), true)
      assert.deepEqual(await watchesOf(storage, hook), ['1 set +0', '2 set +1000'])
      const stored = await storage.hooks.get('alice', hook.id)
      assert.deepEqual(stored?.watchSets, [{ ...set, createdAt: watch.createdAt }])
      assert.ok(stored?.watches.some(({ id }) => id === watch.id))
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us', 'apple 2 reviews us'])
      assert.equal(await storage.hooks.replaceWatchBySet('alice', watch.id, setLike(watch, null)), false)
    })

    it('a watch that becomes a watch set of all apps keeps an app that nothing else tracks', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      await storage.hooks.replaceWatchBySet('alice', watch.id, setLike(watch, null))
      await storage.hooks.trackStorefronts('alice', TWO, ['us'], after(MINUTE))
      assert.deepEqual(await watchesOf(storage, hook), ['1 set +0', '2 set +60000'])
      assert.deepEqual(
        (await storage.hooks.watchedApps('alice')).map(({ appId, storefront }) => `${appId} ${storefront}`),
        ['1 us', '2 us'],
      )
    })

    it('a watch that becomes a watch set with another filter, or without its app, matches from the change on', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const set = { ...setLike(watch, [ONE]), maxStars: 2 }
      await storage.hooks.replaceWatchBySet('alice', watch.id, set)
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watchSets, [set])
      assert.deepEqual(await watchesOf(storage, hook), ['1 set +1000'])
      const other = await subscribe(storage)
      await storage.hooks.replaceWatchBySet('alice', other.watch.id, setLike(other.watch, [TWO]))
      assert.deepEqual(await watchesOf(storage, other.hook), ['2 set +1000'])
    })

    it('a watch that becomes a watch set and a watch again keeps the baseline and its last event, so that no drop is missed or repeated', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, SLIDE)
      assert.deepEqual(await rate(storage, hook, 4.5, NOON), [])
      assert.deepEqual(await rate(storage, hook, 4.4, after(SECOND)), [null])
      const set = setLike(watch, null)
      await storage.hooks.replaceWatchBySet('alice', watch.id, set)
      assert.deepEqual(await rate(storage, hook, 4.3, after(MINUTE)), [SECOND])
      await storage.hooks.replaceSetByWatch('alice', set.id, watchLike(set, ONE))
      assert.deepEqual(await rate(storage, hook, 4.2, after(2 * MINUTE)), [MINUTE])
    })
  })

  describe('a watch set that becomes a watch', () => {
    it('a watch set that becomes a watch keeps one app from when it had it, and no longer polls the others', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const set = setLike(watch, [ONE, TWO])
      await storage.hooks.replaceWatchBySet('alice', watch.id, set)
      assert.equal(await storage.hooks.replaceSetByWatch('alice', set.id, watchLike(set, TWO)), true)
      assert.deepEqual(await watchesOf(storage, hook), ['2 own +1000'])
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watchSets, [])
      assert.deepEqual(await pollSet(storage), ['apple 2 reviews us'])
      assert.equal(await storage.hooks.replaceSetByWatch('alice', set.id, watchLike(set, TWO)), false)
    })

    it('a watch set that becomes a watch with another filter or app matches from the change on', async () => {
      await using storage = await open()
      await addPeople(storage)
      for (const changed of [{ maxStars: 2 }, { appId: '3' }]) {
        const { hook, watch } = await subscribe(storage)
        const set = setLike(watch, [ONE])
        await storage.hooks.replaceWatchBySet('alice', watch.id, set)
        const after = { ...watchLike(set, ONE), ...changed }
        await storage.hooks.replaceSetByWatch('alice', set.id, after)
        assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watches, [after])
      }
    })
  })

  describe('a watch and a watch set that replace each other', () => {
    it('a watch and a watch set that replace each other count as one watch of the hook, and their storefronts for the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const limits = { hooksMax: 9, storefrontsMax: 1 }
      const tooMany = setLike(watch, [ONE, TWO])
      await assert.rejects(storage.hooks.replaceWatchBySet('alice', watch.id, tooMany, limits), LimitReached)
      assert.deepEqual(await watchesOf(storage, hook), ['1 own +0'])
    })

    it('a watch set does not replace a watch of another account, of another hook or of a set', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const { hook: other } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      const set = setLike(watch, [ONE])
      const replace = (accountId: string, hookId: string) =>
        storage.hooks.replaceWatchBySet(accountId, watch.id, { ...set, accountId, hookId })
      assert.equal(await replace('bob', hook.id), false)
      assert.equal(await replace('bob', bobs.id), false)
      assert.equal(await replace('alice', other.id), false)
      assert.equal(await replace('alice', hook.id), true)
      assert.equal(await replace('alice', hook.id), false)
      const restore = (accountId: string, hookId: string) =>
        storage.hooks.replaceSetByWatch(accountId, set.id, { ...watchLike(set, ONE), accountId, hookId })
      assert.equal(await restore('bob', hook.id), false)
      assert.equal(await restore('bob', bobs.id), false)
      assert.equal(await restore('alice', other.id), false)
      assert.deepEqual(await watchesOf(storage, hook), ['1 set +0'])
    })

    it('a watch and a watch set that replace each other keep each app once when two processes replace at the same time', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const done = await Promise.all(
        [storage, other].map(({ hooks }) =>
          hooks.replaceWatchBySet('alice', watch.id, setLike(watch, [ONE, TWO])),
        ),
      )
      assert.deepEqual(done.sort(), [false, true])
      assert.deepEqual(await watchesOf(storage, hook), ['1 set +0', '2 set +1000'])
    })
  })
}
