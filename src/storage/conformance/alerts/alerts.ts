import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Alert,
  type AlertLink,
  type AlertSettings,
  alertIdOf,
  alertRecipients,
} from '../../../model/alert.ts'
import { recipientIdOf } from '../../../model/mail-recipient.ts'
import { type Instant, later } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { HORIZONS, jump } from '../maintenance/time.ts'
import { connectionOf } from '../people/store-connections.ts'
import { claim, enqueue, NO_CHANGE, retryAt, settle } from '../queue/queue-samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  pollOf,
  SECOND,
  subscribe,
} from '../samples.ts'

const BOTH: Parameters<Storage['alerts']['saveSettings']>[0] = {
  accountId: 'alice',
  enabled: true,
  emails: ['one@example.com', 'two@example.com'],
  webhookUrl: 'https://example.com/alerts',
  newOnesAre: 'confirmed',
  newSecret: 'sealed',
}

function alertOf(given: Partial<Alert> = {}): Alert {
  const cause = {
    accountId: 'alice',
    kind: 'destination.failing',
    subject: 'api-1',
    since: NOON,
    ...given,
  } as const
  return { title: 'Title', text: 'Text', body: '{"a":1}', id: alertIdOf(cause, cause.since), ...cause }
}

function storedOf({ newSecret, newOnesAre: _, ...settings }: typeof BOTH): AlertSettings {
  return { ...settings, unconfirmed: [], unsubscribed: [], webhookSecret: newSecret }
}
const ASKED = { ...BOTH, newOnesAre: 'unconfirmed' } as const

async function openWith(open: () => Promise<Storage>, ...settings: Partial<typeof BOTH>[]) {
  const storage = await open()
  await addPeople(storage)
  for (const each of settings) await storage.alerts.saveSettings({ ...BOTH, ...each })
  return storage
}

const claimAll = (storage: Storage, at = NOON) => storage.alerts.claim(at, 'lease', MINUTE, 10)
const YEAR = 365 * 24 * HOUR
const HOUR_BEFORE = later(NOON, -HOUR)

export function alertsSuite({ open }: Engine): void {
  describe('alert settings', () => {
    it('alert settings are stored for each account and replaced completely', async () => {
      await using storage = await openWith(open)
      assert.equal(await storage.alerts.settings('alice'), null)
      await storage.alerts.saveSettings(BOTH)
      assert.deepEqual(await storage.alerts.settings('alice'), storedOf(BOTH))
      const changed = { ...BOTH, enabled: false, emails: [], webhookUrl: null, newSecret: null }
      await storage.alerts.saveSettings(changed)
      assert.deepEqual(await storage.alerts.settings('alice'), {
        ...storedOf(changed),
        webhookSecret: BOTH.newSecret,
      })
      assert.equal(await storage.alerts.settings('bob'), null)
    })

    it('alert settings keep a stored secret, and say which of several new ones they store', async () => {
      await using storage = await openWith(open)
      const secrets = ['first', 'second', 'third']
      const isStored = await Promise.all(
        secrets.map((newSecret) => storage.alerts.saveSettings({ ...BOTH, newSecret })),
      )
      const stored = secrets.filter((_, place) => isStored[place])
      assert.deepEqual([(await storage.alerts.settings('alice'))?.webhookSecret], stored)
      await storage.alerts.saveSecret('alice', 'replaced')
      assert.equal(await storage.alerts.saveSettings({ ...BOTH, newSecret: null }), false)
      assert.equal(await storage.alerts.saveSettings({ ...BOTH, newSecret: 'late' }), false)
      assert.equal((await storage.alerts.settings('alice'))?.webhookSecret, 'replaced')
    })

    it('alert settings keep an address unconfirmed that is saved with other letter case, or again after its removal', async () => {
      const [ann, bea] = ['ann@example.com', 'bea@example.com']
      await using storage = await openWith(open, { ...ASKED, emails: [ann, bea] })
      const unconfirmed = async () => (await storage.alerts.settings('alice'))?.unconfirmed
      await storage.alerts.saveSettings({ ...BOTH, emails: ['Ann@example.com', bea] })
      assert.deepEqual(await unconfirmed(), ['Ann@example.com', bea])
      await storage.alerts.saveSettings({ ...BOTH, emails: [ann] })
      // Somebody who still sees the removed address saves the form.
      await storage.alerts.saveSettings({ ...ASKED, emails: [ann, 'BEA@example.com'] })
      assert.deepEqual(await unconfirmed(), [ann, 'BEA@example.com'])
    })

    it('alert settings keep no consent of an address that was removed meanwhile', async () => {
      const [ann, bea] = ['ann@example.com', 'bea@example.com']
      await using storage = await openWith(open, { emails: [ann, bea] })
      await storage.alerts.saveSettings({ ...ASKED, emails: [ann] })
      await storage.alerts.saveSettings({ ...ASKED, emails: [ann, bea] })
      assert.deepEqual((await storage.alerts.settings('alice'))?.unconfirmed, [bea])
    })

    it('alert settings keep an address confirmed that confirmed during a save', async () => {
      const emails = ['ann@example.com']
      await using storage = await openWith(open, { ...ASKED, emails })
      const recipient = recipientIdOf('alice', 'ann@example.com')
      await storage.alerts.followLink('alice', { purpose: 'confirm', recipient, at: NOON })
      await storage.alerts.saveSettings({ ...ASKED, emails })
      assert.deepEqual((await storage.alerts.settings('alice'))?.unconfirmed, [])
    })

    it('alert settings keep which addresses have not confirmed, and each confirms once', async () => {
      const emails = ['a@example.com', 'b@example.com']
      await using storage = await openWith(open, { ...ASKED, emails })
      await storage.alerts.create([alertOf()], NOON, null)
      const confirm = (accountId: string, email: string) =>
        storage.alerts.followLink(accountId, {
          purpose: 'confirm',
          recipient: recipientIdOf('alice', email),
          at: NOON,
        })
      assert.equal(await confirm('alice', 'a@example.com'), 'a@example.com')
      assert.equal(await confirm('alice', 'a@example.com'), null)
      assert.equal(await confirm('bob', 'b@example.com'), null)
      assert.deepEqual((await storage.alerts.settings('alice'))?.unconfirmed, ['b@example.com'])
      const more = [...emails, 'c@example.com']
      await storage.alerts.saveSettings({ ...ASKED, emails: more })
      await storage.alerts.saveSecret('alice', 'another')
      const settings = await storage.alerts.settings('alice')
      assert.deepEqual([settings?.unconfirmed, settings?.webhookSecret], [more.slice(1), 'another'])
      await storage.alerts.saveSettings({ ...BOTH, emails })
      const claimed = await claimAll(storage)
      assert.deepEqual(claimed[0]?.settings.unconfirmed, ['b@example.com'])
    })

    it('alert settings keep who unsubscribed until they subscribe again, also when the address is removed meanwhile', async () => {
      const emails = ['a@example.com', 'b@example.com']
      await using storage = await openWith(open, { emails: ['a@example.com'] }, { ...ASKED, emails })
      const follow = (purpose: AlertLink['purpose'], email: string, accountId = 'alice') =>
        storage.alerts.followLink(accountId, {
          purpose,
          recipient: recipientIdOf('alice', email),
          at: after(MINUTE),
        })
      const states = async () => {
        const settings = await storage.alerts.settings('alice')
        return settings && alertRecipients(settings).map(({ state }) => state)
      }
      assert.equal(await follow('subscribe', 'a@example.com'), null)
      assert.equal(await follow('unsubscribe', 'a@example.com', 'bob'), null)
      const [one, other] = await Promise.all([
        follow('unsubscribe', 'A@example.com'),
        follow('unsubscribe', 'a@example.com'),
      ])
      assert.deepEqual([one, other].sort(), ['a@example.com', null])
      const unsubscribed = [{ recipient: recipientIdOf('alice', 'a@example.com'), at: after(MINUTE) }]
      assert.deepEqual((await storage.alerts.settings('alice'))?.unsubscribed, unsubscribed)
      await storage.alerts.saveSettings({ ...BOTH, emails: ['b@example.com'] })
      assert.equal(await follow('subscribe', 'a@example.com'), null, 'a removed address')
      await storage.alerts.saveSettings({ ...ASKED, emails })
      assert.deepEqual(await states(), ['unsubscribed', 'unconfirmed'])
      assert.equal(await follow('confirm', 'a@example.com'), null, 'an old link')
      assert.equal(await follow('unsubscribe', 'b@example.com'), 'b@example.com')
      assert.deepEqual(await states(), ['unsubscribed', 'unsubscribed'])
      assert.equal(await follow('subscribe', 'a@example.com'), 'a@example.com')
      assert.deepEqual(await states(), ['subscribed', 'unsubscribed'])
      await storage.alerts.create([alertOf()], NOON, null)
      const [claimed = assert.fail('no alert')] = await claimAll(storage)
      assert.equal(claimed.settings.unsubscribed.length, 1)
    })
  })

  describe('an alert', () => {
    it('an alert is queued once for each channel of its account', async () => {
      await using storage = await openWith(open, {}, { accountId: 'bob', webhookUrl: null })
      assert.equal(await storage.alerts.create([alertOf()], NOON, HOUR_BEFORE), 1)
      assert.equal(await storage.alerts.create([alertOf()], NOON, null), 0)
      assert.equal(await storage.alerts.create([alertOf({ accountId: 'bob' })], NOON, HOUR_BEFORE), 1)
      const claimed = await claimAll(storage)
      assert.deepEqual(claimed.map(({ channel, settings }) => [settings.accountId, channel]).sort(), [
        ['alice', 'email'],
        ['alice', 'webhook'],
        ['bob', 'email'],
      ])
      assert.deepEqual(claimed[0]?.alert, alertOf())
      assert.deepEqual(claimed[0]?.settings, storedOf(BOTH))
    })

    it('an alert is not queued without settings or while alerts are off, unless it is a test', async () => {
      await using storage = await openWith(open, { enabled: false })
      assert.equal(await storage.alerts.create([alertOf()], NOON, HOUR_BEFORE), 0)
      assert.equal(await storage.alerts.create([alertOf({ accountId: 'bob' })], NOON, HOUR_BEFORE), 0)
      assert.equal(await storage.alerts.create([alertOf({ kind: 'test' })], NOON, null), 1)
    })

    it('an alert of the same cause is not queued again within an hour', async () => {
      await using storage = await openWith(open, {})
      const create = (given: Partial<Alert>, at: Instant) =>
        storage.alerts.create([alertOf({ since: at, ...given })], at, later(at, -HOUR))
      assert.equal(await create({}, NOON), 1)
      assert.equal(await create({}, after(HOUR - SECOND)), 0)
      assert.equal(await create({ subject: 'api-2' }, after(SECOND)), 1)
      assert.equal(await create({ kind: 'destination.recovered' }, after(SECOND)), 1)
      assert.equal(await create({}, after(HOUR)), 1)
      const { last } = await storage.alerts.observe(NOON)
      const failing = last.find(({ kind, subject }) => kind === 'destination.failing' && subject === 'api-1')
      assert.deepEqual([failing?.since, failing?.createdAt], [after(HOUR), after(HOUR)])
    })

    it('an alert that several nodes queue at the same time is queued once', async () => {
      await using storage = await openWith(open, {})
      const created = await Promise.all(
        [0, 1, 2, 3].map((nth) => storage.alerts.create([alertOf({ since: after(nth) })], NOON, HOUR_BEFORE)),
      )
      assert.equal(
        created.reduce((sum, count) => sum + count, 0),
        1,
      )
      assert.equal((await claimAll(storage)).length, 2)
    })

    it('an alert is leased by one node, and due again when the lease ends', async () => {
      await using storage = await openWith(open, { emails: [] })
      await storage.alerts.create([alertOf()], NOON, null)
      const claims = await Promise.all([claimAll(storage), claimAll(storage), claimAll(storage)])
      assert.equal(claims.flat().length, 1)
      assert.deepEqual(await claimAll(storage, after(MINUTE - SECOND)), [])
      const [again] = await storage.alerts.claim(after(MINUTE), 'other', MINUTE, 10)
      const [lost] = claims.flat()
      assert.ok(again && lost)
      await storage.alerts.settle(lost, { status: 'sent', problem: null })
      assert.equal((await storage.alerts.list('alice', 10))[0]?.status, 'pending')
      await storage.alerts.settle(again, { status: 'sent', problem: null })
      assert.equal((await storage.alerts.list('alice', 10))[0]?.status, 'sent')
    })

    it('an alert is not claimed twice when the clock goes forward during its attempt', async () => {
      await using storage = await openWith(open, { emails: [] })
      await storage.alerts.create([alertOf()], NOON, null)
      assert.equal((await claimAll(storage)).length, 1)
      await jump(storage, NOON, after(YEAR))
      assert.deepEqual(await claimAll(storage, after(YEAR + MINUTE - 1)), [])
      assert.equal((await claimAll(storage, after(YEAR + MINUTE))).length, 1)
    })

    it('an alert that waits longer than its rule allows is due after a repair', async () => {
      await using storage = await openWith(open, { emails: [] })
      await storage.alerts.create([alertOf()], NOON, null)
      const [first] = await claimAll(storage)
      assert.ok(first)
      await storage.alerts.settle(first, { status: 'pending', dueAt: after(YEAR), problem: 'It is down.' })
      assert.equal(await storage.time.repair(NOON, HORIZONS), 1)
      assert.equal((await claimAll(storage)).length, 1)
      assert.equal(await storage.time.repair(NOON, HORIZONS), 0)
    })

    it('an alert is retried later, and fails after the last try', async () => {
      await using storage = await openWith(open, { webhookUrl: null })
      await storage.alerts.create([alertOf()], NOON, null)
      const [first] = await claimAll(storage)
      assert.ok(first)
      const accepted = { ...first, acceptedBy: ['r1'] }
      await storage.alerts.settle(accepted, {
        status: 'pending',
        dueAt: after(HOUR),
        problem: 'It is down.',
      })
      assert.deepEqual(await claimAll(storage, after(HOUR - SECOND)), [])
      const [second] = await claimAll(storage, after(HOUR))
      assert.equal(second?.attempts, 1)
      if (second === undefined) return
      assert.deepEqual([first.acceptedBy, second.acceptedBy], [[], ['r1']])
      await storage.alerts.settle(second, { status: 'failed', problem: 'It is down.' })
      const [{ seq, ...view } = assert.fail('no alert is listed')] = await storage.alerts.list('alice', 10)
      assert.ok(seq > 0)
      assert.deepEqual(view, {
        channel: 'email',
        kind: 'destination.failing',
        title: 'Title',
        createdAt: NOON,
        status: 'failed',
        attempts: 2,
        problem: 'It is down.',
      })
      assert.deepEqual(await claimAll(storage, after(24 * HOUR)), [])
      assert.deepEqual(await storage.alerts.list('bob', 10), [])
    })
  })

  describe('causes of alerts', () => {
    it('causes of alerts are failing and recovered active hooks of accounts with alerts', async () => {
      await using storage = await openWith(open, {}, { accountId: 'bob', enabled: false })
      const { hook } = await subscribe(storage)
      const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
      await subscribe(storage)
      const turn = async (kind: 'failing' | 'recovered', at: Instant) => {
        await enqueue(storage, [hook, bobs], { at })
        const change = { ...NO_CHANGE, notices: [{ kind, detail: `It is ${kind}.` }] }
        await settle(storage, await claim(storage, { now: at }), retryAt(after(9 * HOUR)), {
          now: at,
          change,
        })
      }
      const conditions = async () => (await storage.alerts.observe(NOON)).conditions
      assert.deepEqual(await conditions(), [])
      await turn('failing', NOON)
      const failing = { accountId: 'alice', hookId: hook.id, targetUrl: hook.targetUrl }
      assert.deepEqual(await conditions(), [
        { ...failing, kind: 'destination.failing', since: NOON, detail: 'It is failing.' },
      ])
      await turn('recovered', after(MINUTE))
      assert.deepEqual(
        (await conditions()).map(({ kind }) => kind),
        ['destination.recovered'],
      )
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      assert.deepEqual(await conditions(), [])
    })

    it('causes of alerts are feeds after three consecutive failures, or after one unknown format', async () => {
      await using storage = await openWith(open, {})
      await subscribe(storage)
      await subscribe(storage, { accountId: 'bob' })
      const fail = async (minute: number, outcome: 'blocked' | 'changed') => {
        const polledAt = after(minute * MINUTE)
        const failed = pollOf(await claimFeed(storage, { now: polledAt }), {
          polledAt,
          outcome,
          detail: 'No.',
        })
        await storage.feeds.commitFailures([{ ...failed, nextPollAt: after((minute + 1) * MINUTE) }])
        return (await storage.alerts.observe(NOON)).conditions
      }
      assert.deepEqual(await fail(0, 'blocked'), [])
      assert.deepEqual(await fail(1, 'blocked'), [])
      const condition = { accountId: 'alice', store: 'apple', appId: '1', feed: 'reviews', market: 'us' }
      assert.deepEqual(await fail(2, 'blocked'), [
        { ...condition, kind: 'feed.failing', since: NOON, detail: 'No.' },
      ])
      assert.deepEqual(
        (await fail(3, 'changed')).map(({ kind }) => kind),
        ['feed.changed_format'],
      )
    })

    it('causes of alerts are apps of connections without a good check for six hours that fail or are not checked', async () => {
      await using storage = await openWith(open, {})
      const app = { store: 'apple', appId: '1' } as const
      await subscribe(storage)
      await storage.storeConnections.create(connectionOf(), 9)
      await storage.reviewSources.use('alice', app, 'con_1', NOON)
      const conditions = async (at: Instant) => (await storage.alerts.observe(at)).conditions
      const unchecked = {
        kind: 'connection.failing',
        accountId: 'alice',
        connectionId: 'con_1',
        connectionName: 'Team key',
        ...app,
        isOnlySource: false,
        since: NOON,
        detail: null,
      }
      assert.deepEqual(await conditions(after(6 * HOUR)), [])
      assert.deepEqual(await conditions(after(6 * HOUR + 1)), [unchecked])
      const claimSource = async (now: Instant) => {
        const [source] = await storage.reviewSources.claim({ now, lease: 'l', leaseMs: MINUTE, limit: 1 })
        assert.ok(source)
        return { sourceId: source.id, lease: 'l', polledAt: now, nextPollAt: later(now, HOUR) }
      }
      await storage.reviewSources.fail(await claimSource(after(7 * HOUR)), 'The key was revoked.')
      const failing = { ...unchecked, detail: 'The key was revoked.' }
      assert.deepEqual(await conditions(after(7 * HOUR)), [failing])
      const decide = () => ({ seen: [], toStore: [], occurrences: [] })
      const good = await claimSource(after(8 * HOUR))
      await storage.reviewSources.commit(good, [], false, NO_ENRICHMENT, decide)
      assert.deepEqual(await conditions(after(14 * HOUR)), [])
      await storage.reviewSources.fail(await claimSource(after(15 * HOUR)), 'The key was revoked.')
      assert.deepEqual(await conditions(after(15 * HOUR)), [
        { ...failing, isOnlySource: true, since: after(8 * HOUR) },
      ])
      await storage.alerts.saveSettings({ ...BOTH, enabled: false })
      assert.deepEqual(await conditions(after(15 * HOUR)), [])
    })
  })
}
