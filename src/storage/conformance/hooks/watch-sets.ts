import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AppKey, Hook, WatchSet } from '../../../model/hook.ts'
import { newId } from '../../../model/ids.ts'
import type { WithInstants } from '../../../runtime/instant.ts'
import { LimitReached } from '../../port/errors.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  EVERY_REVIEW,
  hookOf,
  MINUTE,
  NOON,
  pollSet,
  SECOND,
  subscribe,
  watchOf,
} from '../samples.ts'

const ONE: AppKey = { store: 'apple', appId: '1' }
const TWO: AppKey = { store: 'apple', appId: '2' }
const THREE: AppKey = { store: 'google', appId: 'com.three' }

/** By default a set of all apps for every new review. */
function setOf(
  hook: WithInstants<Hook>,
  given: Partial<WithInstants<WatchSet>> = {},
): WithInstants<WatchSet> {
  return {
    id: newId('set'),
    hookId: hook.id,
    accountId: hook.accountId,
    apps: null,
    ...EVERY_REVIEW,
    createdAt: hook.createdAt,
    ...given,
  }
}

async function addHook(storage: Storage, accountId = 'alice'): Promise<WithInstants<Hook>> {
  const hook = hookOf({ accountId })
  await storage.hooks.create(hook, [])
  return hook
}

const track = (storage: Storage, app: AppKey, at = NOON, accountId = 'alice') =>
  storage.hooks.trackStorefronts(accountId, app, ['us'], at)
const untrack = (storage: Storage, app: AppKey, at = NOON) =>
  storage.hooks.trackStorefronts('alice', app, [], at)

/** The apps of the watches that sets created, with their creation, sorted. */
async function watchedBySets(storage: Storage, hook: Hook): Promise<string[]> {
  const { watches = [] } = (await storage.hooks.get(hook.accountId, hook.id)) ?? {}
  return watches
    .filter(({ setId }) => setId !== null)
    .map(({ appId, createdAt }) => `${appId} +${createdAt.getTime() - NOON.getTime()}`)
    .sort()
}

export function watchSetsSuite({ open, openAgain }: Engine): void {
  describe('watch sets', () => {
    it('watch sets are read with all values, and give each app a watch with their filter', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = hookOf()
      const set = setOf(hook, {
        apps: [ONE, THREE],
        eventType: 'rating.dropped',
        storefronts: ['de'],
        minStars: 2,
        maxStars: 4,
        deltaMicros: 100_000,
        thresholdMicros: 4_000_000,
        rules: { themes: ['ads'] },
      })
      await storage.hooks.create(hook, [], { watchSets: [set] })
      const stored = await storage.hooks.get('alice', hook.id)
      assert.deepEqual(
        stored?.watchSets.map(({ apps, ...rest }) => [rest, [...(apps ?? [])].sort(byId)]),
        [[(({ apps: _, ...rest }) => rest)(set), [ONE, THREE]]],
      )
      const { id: setId, apps: _, ...filter } = set
      assert.deepEqual(
        stored?.watches.map(({ id: _, ...watch }) => watch).sort(byId),
        [ONE, THREE].map((app) => ({ ...filter, ...app, setId })),
      )
      assert.deepEqual(await storage.hooks.list('alice'), [stored])
      assert.deepEqual(await storage.hooks.listAll(), [stored])
      assert.deepEqual(await pollSet(storage), ['apple 1 rating de', 'google com.three rating de'])
    })

    it('watch sets of all apps watch every app that the account tracks or watches, from the creation of the set on', async () => {
      await using storage = await open()
      await addPeople(storage)
      await track(storage, ONE)
      await track(storage, THREE, NOON, 'bob')
      await subscribe(storage, {}, { appId: '2', eventType: 'rating.dropped' })
      const hook = await addHook(storage)
      assert.equal(await storage.hooks.addWatchSet('alice', setOf(hook, { createdAt: after(5) })), true)
      assert.deepEqual(await watchedBySets(storage, hook), ['1 +5', '2 +5'])
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watchSets[0]?.apps, null)
      assert.ok((await pollSet(storage)).includes('apple 2 reviews us'))
    })

    it('watch sets of all apps watch a later app from its addition on, for each way to add one', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      await storage.hooks.addWatchSet('alice', setOf(hook))
      await track(storage, ONE, after(1))
      await track(storage, ONE, after(2))
      const { hook: other } = await subscribe(storage, { createdAt: after(3) }, { ...TWO })
      await storage.hooks.addWatch('alice', watchOf(other, { ...THREE, createdAt: after(4) }))
      const chosen = setOf(other, { apps: [{ store: 'apple', appId: '4' }], createdAt: after(5) })
      await storage.hooks.addWatchSet('alice', chosen)
      assert.deepEqual(await watchedBySets(storage, hook), ['1 +1', '2 +3', '4 +5', 'com.three +4'])
    })

    it('watch sets of all apps lose the watch of an app that the account no longer tracks or watches', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      await storage.hooks.addWatchSet('alice', setOf(hook))
      await track(storage, ONE)
      const own = watchOf(hook, { ...TWO })
      await storage.hooks.addWatch('alice', own)
      const { hook: other } = await subscribe(storage, {}, { ...THREE })
      assert.equal((await watchedBySets(storage, hook)).length, 3)
      await untrack(storage, ONE, after(1))
      await storage.hooks.removeWatch('alice', hook.id, own.id, after(1))
      await storage.hooks.remove('alice', other.id, after(1))
      assert.deepEqual(await watchedBySets(storage, hook), [])
      assert.deepEqual(await pollSet(storage), [])
      await track(storage, ONE, after(9))
      assert.deepEqual(await watchedBySets(storage, hook), ['1 +9'])
    })

    it('watch sets of all apps do not keep an app for each other', async () => {
      await using storage = await open()
      await addPeople(storage)
      const [first, second] = [await addHook(storage), await addHook(storage)]
      await storage.hooks.addWatchSet('alice', setOf(first))
      await storage.hooks.addWatchSet('alice', setOf(second))
      await track(storage, ONE)
      await untrack(storage, ONE, after(1))
      assert.deepEqual(await storage.hooks.watchedApps('alice'), [])
    })

    it('watch sets and watches that name an app lose it where its removal includes them, and then it is not polled', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: mine } = await subscribe(storage, { source: 'console' }, { ...ONE })
      const { hook: other } = await subscribe(storage, { source: 'console' }, { ...THREE })
      await storage.hooks.addWatchSet('alice', setOf(mine, { apps: [ONE, TWO] }))
      await storage.hooks.addWatchSet('alice', setOf(mine, { apps: [ONE] }))
      await storage.hooks.addWatchSet('alice', setOf(mine))
      const { hook: ofBob } = await subscribe(storage, { accountId: 'bob', source: 'console' }, { ...ONE })
      await track(storage, ONE)
      const [report] = await storage.reports.apps('alice', NOON)
      assert.deepEqual(report?.namedBy, [{ source: 'console', rules: 3 }])
      assert.deepEqual([report?.ticked, report?.needed, report?.kept], [['us'], ['us'], ['us']])

      await storage.hooks.untrack('alice', ONE, () => false, after(1))
      const [kept] = await storage.reports.apps('alice', NOON)
      assert.deepEqual([kept?.appId, kept?.ticked, kept?.kept], ['1', [], ['us']])

      await storage.hooks.untrack('alice', ONE, (source) => source === 'console', after(2))
      assert.deepEqual(await watchedBySets(storage, mine), ['2 +0', '2 +0', 'com.three +0'])
      assert.equal((await storage.hooks.get('alice', mine.id))?.watchSets.length, 2)
      assert.equal((await storage.hooks.get('alice', other.id))?.watches.length, 1)
      assert.equal((await storage.hooks.get('bob', ofBob.id))?.watches.length, 1)
      const apps = await storage.reports.apps('alice', NOON)
      assert.deepEqual(
        apps.map(({ appId }) => appId),
        ['2', 'com.three'],
      )
      await storage.hooks.remove('bob', ofBob.id, after(3))
      assert.ok(!(await pollSet(storage)).some((feed) => feed.startsWith('apple 1 ')))
    })

    it('watch sets of all apps alone do not keep an app that is no longer tracked', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      await storage.hooks.addWatchSet('alice', setOf(hook))
      await track(storage, ONE)
      const [report] = await storage.reports.apps('alice', NOON)
      assert.deepEqual([report?.needed, report?.kept, report?.namedBy], [['us'], [], []])
      await storage.hooks.untrack('alice', ONE, () => false, after(1))
      assert.deepEqual(await pollSet(storage), [])
    })

    it('watch sets keep the watches of remaining apps when only the apps change', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      const set = setOf(hook, { apps: [ONE, TWO] })
      await storage.hooks.addWatchSet('alice', set)
      const changed = { ...set, apps: [TWO, THREE], createdAt: after(SECOND) }
      assert.equal(await storage.hooks.updateWatchSet('alice', changed), true)
      assert.deepEqual(await watchedBySets(storage, hook), ['2 +0', 'com.three +1000'])
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watchSets[0]?.createdAt, set.createdAt)
      assert.ok(!(await pollSet(storage)).includes('apple 1 reviews us'))
      await storage.hooks.updateWatchSet('alice', { ...changed, apps: null, createdAt: after(MINUTE) })
      await track(storage, ONE, after(2 * MINUTE))
      assert.deepEqual(await watchedBySets(storage, hook), ['1 +120000', '2 +0', 'com.three +1000'])
    })

    it('watch sets with a changed filter match from the change on', async () => {
      await using storage = await open()
      await addPeople(storage)
      await track(storage, ONE)
      const hook = await addHook(storage)
      const set = setOf(hook)
      await storage.hooks.addWatchSet('alice', set)
      const changed = { ...set, maxStars: 2, createdAt: after(SECOND) }
      await storage.hooks.updateWatchSet('alice', changed)
      const stored = await storage.hooks.get('alice', hook.id)
      assert.deepEqual(
        stored?.watches.map(({ maxStars, createdAt }) => [maxStars, createdAt]),
        [[2, after(SECOND)]],
      )
      assert.deepEqual(stored?.watchSets, [changed])
    })

    it('watch sets are removed with their watches, separately or with their hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      const [set, other] = [setOf(hook, { apps: [ONE] }), setOf(hook, { apps: [TWO] })]
      await storage.hooks.addWatchSet('alice', set)
      await storage.hooks.addWatchSet('alice', other)
      assert.equal(await storage.hooks.removeWatchSet('alice', hook.id, set.id, NOON), true)
      assert.equal(await storage.hooks.removeWatchSet('alice', hook.id, set.id, NOON), false)
      assert.deepEqual(await watchedBySets(storage, hook), ['2 +0'])
      assert.deepEqual(await pollSet(storage), ['apple 2 reviews us'])
      assert.equal(await storage.hooks.remove('alice', hook.id, NOON), true)
      assert.deepEqual(await pollSet(storage), [])
      await track(storage, ONE)
      assert.equal((await storage.hooks.listAll()).length, 0)
    })

    it('watch sets do not allow changing or removing one of their watches', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      await storage.hooks.addWatchSet('alice', setOf(hook, { apps: [ONE] }))
      const [watch] = (await storage.hooks.get('alice', hook.id))?.watches ?? []
      assert.ok(watch)
      assert.equal(
        await storage.hooks.updateWatch('alice', { ...watch, createdAt: NOON, maxStars: 1 }),
        false,
      )
      assert.equal(await storage.hooks.removeWatch('alice', hook.id, watch.id, NOON), false)
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watches, [watch])
    })

    it('watch sets count as one watch of their hook, and their storefronts for the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = await addHook(storage)
      const limits = { hooksMax: 9, storefrontsMax: 2, watchesMax: 1 }
      await storage.hooks.addWatchSet('alice', setOf(hook, { apps: [ONE, TWO] }), limits)
      const more = setOf(hook, { apps: [ONE] })
      await assert.rejects(storage.hooks.addWatchSet('alice', more, limits), LimitReached)
      await assert.rejects(storage.hooks.addWatch('alice', watchOf(hook), limits), LimitReached)
      const two = { ...limits, watchesMax: 2 }
      const beyond = setOf(hook, { apps: [THREE] })
      await assert.rejects(storage.hooks.addWatchSet('alice', beyond, two), LimitReached)
      await storage.hooks.addWatchSet('alice', more, two)
    })

    it('watch sets count with the watches that an update replaces', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      await storage.hooks.addWatchSet('alice', setOf(hook, { apps: [ONE] }))
      const limits = { hooksMax: 9, storefrontsMax: 9, watchesMax: 2 }
      const replace = (count: number, max: number) => {
        const watches = Array.from({ length: count }, () => watchOf(hook))
        const change = { watches: { at: NOON, from: () => watches } }
        return storage.hooks.update('alice', hook.id, change, { ...limits, watchesMax: max })
      }
      await assert.rejects(replace(2, 2), LimitReached)
      const kept = (await storage.hooks.get('alice', hook.id))?.watches.map(({ id }) => id)
      assert.ok(kept?.includes(watch.id))
      assert.equal((await replace(2, 3))?.watches.length, 3)
      // A hook above a lowered limit may still lose watches.
      assert.equal((await replace(1, 1))?.watches.length, 2)
    })

    it('watch sets of another account are not changed and not removed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const [hook, bobs] = [await addHook(storage), await addHook(storage, 'bob')]
      const set = setOf(hook)
      await storage.hooks.addWatchSet('alice', set)
      assert.equal(await storage.hooks.addWatchSet('bob', setOf(hook)), false)
      assert.equal(await storage.hooks.updateWatchSet('bob', { ...set, maxStars: 1 }), false)
      assert.equal(await storage.hooks.updateWatchSet('bob', { ...set, hookId: bobs.id }), false)
      assert.equal(await storage.hooks.removeWatchSet('bob', hook.id, set.id, NOON), false)
      assert.equal(await storage.hooks.removeWatchSet('bob', bobs.id, set.id, NOON), false)
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watchSets, [set])
    })

    it('watch sets of all apps include an app that another process adds at the same time', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const hook = await addHook(storage)
      const apps = Array.from({ length: 8 }, (_, nth) => ({ store: 'apple', appId: `${nth}` }) as const)
      await Promise.all([
        ...apps.map((app, nth) => track(nth % 2 === 0 ? storage : other, app)),
        other.hooks.addWatchSet('alice', setOf(hook)),
        storage.hooks.addWatchSet('alice', setOf(hook, { eventType: 'rating.dropped', deltaMicros: 0 })),
      ])
      assert.equal((await watchedBySets(storage, hook)).length, 2 * apps.length)
    })
  })
}

function byId(one: AppKey, other: AppKey): number {
  return one.appId < other.appId ? -1 : 1
}
