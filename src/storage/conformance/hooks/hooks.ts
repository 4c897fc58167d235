import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LimitReached } from '../../port/errors.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  CHANNEL,
  DAILY,
  hookOf,
  MINUTE,
  NOON,
  pollSet,
  SECOND,
  subscribe,
  watchOf,
  webhookTo,
} from '../samples.ts'

export function hooksSuite({ open, openAgain }: Engine): void {
  describe('hooks', () => {
    it('hooks are read with all values', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hook = hookOf({
        source: 'n8n',
        targetUrl: 'http://example.com:8080/a?b=c',
        name: 'Support ✓',
        description: 'Opens a ticket\nfor each review',
        externalRef: 'flow 7 ✓',
        secrets: [
          { sealed: 'new', expiresAt: null },
          { sealed: 'old', expiresAt: after(MINUTE) },
        ],
        ratePerSecond: 2.5,
        cloudEvents: true,
        redirect: 'accept',
        lateReviewsHours: 48,
        targetType: 'slack',
        targetSettings: 'sealed settings',
        messageSchedule: DAILY,
      })
      const reviews = watchOf(hook, {
        id: 'wat_1',
        storefronts: ['jp', 'it'],
        minStars: 2,
        maxStars: 3,
        rules: {
          keywords: ['クラッシュ', "can't log in"],
          excludedKeywords: ['50%'],
          appVersions: ['4.2.*'],
          languages: ['ja'],
          isBugReport: true,
          competitors: ['Acme, Inc.'],
        },
      })
      const rating = watchOf(hook, {
        id: 'wat_2',
        store: 'google',
        appId: 'com.example',
        eventType: 'rating.dropped',
        deltaMicros: 100_000,
        thresholdMicros: 4_000_000,
        createdAt: after(1),
      })
      await storage.hooks.create(hook, [reviews, rating])
      const expected = { ...hook, watches: [reviews, rating], watchSets: [] }
      assert.deepEqual(await storage.hooks.get('alice', hook.id), expected)
      assert.deepEqual(await storage.hooks.list('alice'), [expected])
    })

    it('hooks are listed oldest first, of one account or of all', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: second } = await subscribe(storage, { createdAt: after(SECOND) })
      const { hook: first } = await subscribe(storage, { createdAt: NOON })
      const { hook: third } = await subscribe(storage, { accountId: 'bob', createdAt: after(MINUTE) })
      const alices = await storage.hooks.list('alice')
      assert.deepEqual(
        alices.map(({ id }) => id),
        [first.id, second.id],
      )
      assert.deepEqual(
        alices.map(({ watches }) => watches.map(({ hookId }) => hookId)),
        [[first.id], [second.id]],
      )
      assert.deepEqual(
        (await storage.hooks.listAll()).map(({ id }) => id),
        [first.id, second.id, third.id],
      )
    })

    it('hooks are removed once and then not listed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      assert.equal(await storage.hooks.remove('alice', hook.id, after(SECOND)), true)
      assert.equal(await storage.hooks.get('alice', hook.id), null)
      assert.deepEqual(await storage.hooks.list('alice'), [])
      assert.deepEqual(await storage.hooks.listAll(), [])
      assert.equal(await storage.hooks.remove('alice', hook.id, after(SECOND)), false)
      assert.equal(await storage.hooks.setStatus('alice', hook.id, 'paused', NOON), null)
      assert.equal(await storage.hooks.update('alice', hook.id, { ratePerSecond: 1 }), null)
      assert.equal(await storage.hooks.addWatch('alice', watchOf(hook)), false)
      assert.deepEqual(await storage.hooks.watchedApps('alice'), [])
    })

    it('hooks change only in the fields of an update', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, { ratePerSecond: 4 })
      const moved = { ...hook, targetUrl: 'https://example.org/b', watches: [watch], watchSets: [] }
      assert.deepEqual(
        await storage.hooks.update('alice', hook.id, { target: webhookTo('https://example.org/b') }),
        moved,
      )
      const unlimited = { ...moved, ratePerSecond: null }
      assert.deepEqual(await storage.hooks.update('alice', hook.id, { ratePerSecond: null }), unlimited)
      const secrets = [{ sealed: 'rotated', expiresAt: null }, ...hook.secrets]
      assert.deepEqual(await storage.hooks.update('alice', hook.id, { secrets: () => secrets }), {
        ...unlimited,
        secrets,
      })
      const named = { ...unlimited, secrets, name: 'Support', description: 'Tickets' }
      await storage.hooks.update('alice', hook.id, { name: 'Support', description: 'Tickets' })
      assert.deepEqual(await storage.hooks.get('alice', hook.id), named)
      await storage.hooks.update('alice', hook.id, { cloudEvents: true })
      assert.deepEqual(await storage.hooks.get('alice', hook.id), { ...named, cloudEvents: true })
      await storage.hooks.update('alice', hook.id, { redirect: 'accept' })
      assert.equal((await storage.hooks.get('alice', hook.id))?.redirect, 'accept')
      await storage.hooks.update('alice', hook.id, { redirect: 'fail' })
      await storage.hooks.update('alice', hook.id, { cloudEvents: false, description: null })
      assert.deepEqual(await storage.hooks.get('alice', hook.id), { ...named, description: null })
      await storage.hooks.update('alice', hook.id, { target: CHANNEL })
      assert.deepEqual(await storage.hooks.get('alice', hook.id), { ...named, description: null, ...CHANNEL })
      await storage.hooks.update('alice', hook.id, { messageSchedule: DAILY })
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.messageSchedule, DAILY)
      await storage.hooks.update('alice', hook.id, { messageSchedule: null })
      await storage.hooks.update('alice', hook.id, { target: webhookTo(hook.targetUrl), name: null })
      const webhook = { ...named, name: null, description: null, targetUrl: hook.targetUrl }
      assert.deepEqual(await storage.hooks.get('alice', hook.id), webhook)
    })

    it('hooks replace their watches in one update, within the limit of storefronts, and keep those with the same id', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const drops = watchOf(hook, {
        id: 'wat_new',
        appId: '2',
        storefronts: ['de'],
        createdAt: after(MINUTE),
      })
      const changed = await storage.hooks.update('alice', hook.id, {
        watches: { at: after(MINUTE), from: ([kept]) => [kept ?? watch, drops] },
      })
      assert.deepEqual(changed, { ...hook, watches: [watch, drops], watchSets: [] })
      assert.deepEqual(await storage.hooks.get('alice', hook.id), changed)
      const watched = async () => (await storage.hooks.watchedApps('alice')).map(({ appId }) => appId)
      assert.deepEqual(await watched(), [watch.appId, '2'].sort())

      const limits = { hooksMax: 9, storefrontsMax: 2, watchesMax: 9 }
      const third = watchOf(hook, { id: 'wat_3', appId: '3' })
      const beyond = { name: 'Not stored', watches: { at: NOON, from: () => [watch, drops, third] } }
      await assert.rejects(storage.hooks.update('alice', hook.id, beyond, limits), LimitReached)
      assert.deepEqual(await storage.hooks.get('alice', hook.id), changed)
      await storage.hooks.update('alice', hook.id, { watches: { at: NOON, from: () => [third] } }, limits)
      assert.deepEqual(await watched(), ['3'])
      assert.equal(
        await storage.hooks.update('bob', hook.id, { watches: { at: NOON, from: () => [watch] } }),
        null,
      )
    })

    it('hooks keep each secret of concurrent rotations, by several processes', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const names = Array.from({ length: 8 }, (_, nth) => `rotated ${nth}`)
      const rotate = (at: Storage, sealed: string) =>
        at.hooks.update('alice', hook.id, { secrets: (stored) => [{ sealed, expiresAt: null }, ...stored] })
      await Promise.all(names.map((sealed, nth) => rotate(nth % 2 === 0 ? storage : other, sealed)))
      const { secrets = [] } = (await storage.hooks.get('alice', hook.id)) ?? {}
      assert.deepEqual(secrets.map(({ sealed }) => sealed).sort(), [...names, 'sealed'].sort())
    })

    it('hooks are paused and resumed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const status = async () => (await storage.hooks.get('alice', hook.id))?.status
      assert.equal((await storage.hooks.setStatus('alice', hook.id, 'paused', NOON))?.status, 'paused')
      assert.equal(await status(), 'paused')
      assert.equal((await storage.hooks.setStatus('alice', hook.id, 'active', NOON))?.status, 'active')
      assert.equal(await status(), 'active')
    })

    it('hooks are paused and resumed together, without those that are gone or of another account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage, { status: 'paused' })
      const { hook: gone } = await subscribe(storage, { source: 'zapier', status: 'gone' }, { appId: '2' })
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      const ids = [one.id, two.id, gone.id, bobs.id, 'none']
      const set = (status: 'active' | 'paused') => storage.hooks.setStatuses('alice', ids, status, NOON)
      assert.deepEqual(
        await set('paused'),
        new Map([
          [one.id, { before: 'active', after: 'paused' }],
          [two.id, { before: 'paused', after: 'paused' }],
          [gone.id, { before: 'gone', after: 'gone' }],
        ]),
      )
      assert.equal((await storage.hooks.get('bob', bobs.id))?.status, 'active')
      assert.ok(!(await pollSet(storage)).includes('apple 2 reviews us'))
      assert.equal((await set('active')).get(gone.id)?.after, 'active')
      assert.ok((await pollSet(storage)).includes('apple 2 reviews us'))
      const left = await storage.hooks.list('alice')
      assert.deepEqual(new Set(left.map(({ status }) => status)), new Set(['active']))
    })

    it('hooks that are gone stay gone on pause and become active on resume', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, { source: 'zapier', status: 'gone' })
      assert.equal((await storage.hooks.setStatus('alice', hook.id, 'paused', NOON))?.status, 'gone')
      assert.equal((await storage.hooks.setStatus('alice', hook.id, 'active', NOON))?.status, 'active')
      assert.equal((await storage.hooks.get('alice', hook.id))?.status, 'active')
    })

    it('hooks add, change and remove watches', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const added = watchOf(hook, { appId: '2', createdAt: after(SECOND) })
      assert.equal(await storage.hooks.addWatch('alice', added), true)
      const changed = { ...added, maxStars: 2, rules: { themes: ['ads' as const] }, createdAt: after(MINUTE) }
      assert.equal(await storage.hooks.updateWatch('alice', changed), true)
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watches, [watch, changed])
      const { hook: another } = await subscribe(storage, { createdAt: after(1) })
      assert.equal(await storage.hooks.removeWatch('alice', another.id, watch.id, after(MINUTE)), false)
      assert.equal(await storage.hooks.removeWatch('alice', hook.id, watch.id, after(MINUTE)), true)
      assert.equal(await storage.hooks.removeWatch('alice', hook.id, watch.id, after(MINUTE)), false)
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.watches, [changed])
    })

    it('hooks are stored completely or not at all', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { watch } = await subscribe(storage)
      const hook = hookOf()
      await assert.rejects(storage.hooks.create(hook, [watchOf(hook, { appId: '2' }), { ...watch }]))
      assert.equal(await storage.hooks.get('alice', hook.id), null)
      assert.deepEqual(
        (await storage.hooks.watchedApps('alice')).map(({ appId }) => appId),
        ['1'],
      )
    })
  })

  describe('the hooks of another account', () => {
    it('the hooks of another account and their watches are not returned, changed or removed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage)
      const bobs = await subscribe(storage, { accountId: 'bob' })
      const asBob = storage.hooks
      assert.equal(await asBob.get('bob', hook.id), null)
      assert.deepEqual(
        (await asBob.list('bob')).map(({ id }) => id),
        [bobs.hook.id],
      )
      assert.equal(await asBob.setStatus('bob', hook.id, 'paused', NOON), null)
      assert.equal(await asBob.update('bob', hook.id, { target: webhookTo('https://evil.example') }), null)
      assert.equal(await asBob.addWatch('bob', watchOf(hook)), false)
      assert.equal(await asBob.updateWatch('bob', { ...watch, maxStars: 1 }), false)
      assert.equal(await asBob.updateWatch('bob', { ...watch, hookId: bobs.hook.id, maxStars: 1 }), false)
      assert.equal(await asBob.removeWatch('bob', hook.id, watch.id, NOON), false)
      assert.equal(await asBob.removeWatch('bob', bobs.hook.id, watch.id, NOON), false)
      assert.equal(await asBob.remove('bob', hook.id, NOON), false)
      assert.deepEqual(await storage.hooks.get('alice', hook.id), {
        ...hook,
        watches: [watch],
        watchSets: [],
      })
    })

    it('the hooks of another account cannot get watches from another account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await storage.hooks.addWatch('alice', watchOf(hook, { accountId: 'bob', appId: '2' }))
      assert.deepEqual(await storage.hooks.watchedApps('bob'), [])
    })
  })

  describe('watched apps', () => {
    it('watched apps are the tracked storefronts and those that watches need, each once, in order', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, { store: 'google', appId: 'com.b' })
      await subscribe(storage, {}, { store: 'google', appId: 'com.B', storefronts: ['de', 'it'] })
      await subscribe(storage, {}, { appId: '2', storefronts: ['gb'] })
      await subscribe(storage, {}, { appId: '2', storefronts: ['gb'], eventType: 'rating.dropped' })
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '2' }, ['it', 'us', 'gb'], NOON)
      await storage.hooks.trackStorefronts('bob', { store: 'apple', appId: '2' }, ['jp'], NOON)
      await storage.feeds.saveApps(
        [{ store: 'apple', appId: '2', name: 'Two', developer: null, iconUrl: null }],
        NOON,
      )
      assert.deepEqual(await storage.hooks.watchedApps('alice'), [
        { store: 'apple', appId: '2', storefront: 'us', name: 'Two', isConnected: false },
        { store: 'apple', appId: '2', storefront: 'gb', name: 'Two', isConnected: false },
        { store: 'apple', appId: '2', storefront: 'it', name: 'Two', isConnected: false },
        { store: 'google', appId: 'com.B', storefront: 'de', name: null, isConnected: false },
        { store: 'google', appId: 'com.B', storefront: 'it', name: null, isConnected: false },
        { store: 'google', appId: 'com.b', storefront: 'us', name: null, isConnected: false },
      ])
      assert.deepEqual(await storage.hooks.watchedApps('bob'), [
        { store: 'apple', appId: '2', storefront: 'jp', name: 'Two', isConnected: false },
      ])
      assert.deepEqual(await storage.hooks.watchedStorefronts({ store: 'apple', appId: '2' }), [
        'us',
        'gb',
        'jp',
        'it',
      ])
      assert.deepEqual(await storage.hooks.watchedStorefronts({ store: 'google', appId: 'com.b' }), ['us'])
      assert.deepEqual(await storage.hooks.watchedStorefronts({ store: 'google', appId: 'com.none' }), [])
    })

    it('watched apps have exactly the storefronts of the last change', async () => {
      await using storage = await open()
      await addPeople(storage)
      const app = { store: 'apple', appId: '1' } as const
      const ticked = async () =>
        (await storage.hooks.watchedApps('alice')).map(({ storefront }) => storefront)
      await storage.hooks.trackStorefronts('alice', app, ['us', 'jp'], NOON)
      await storage.hooks.trackStorefronts('alice', app, ['jp', 'de'], after(SECOND))
      assert.deepEqual(await ticked(), ['de', 'jp'])
      await storage.hooks.trackStorefronts('alice', app, [], after(MINUTE))
      assert.deepEqual(await ticked(), [])
    })
  })
}
