import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditEntry } from '../../../model/audit.ts'
import type { WithInstants } from '../../../runtime/instant.ts'
import type { AuditFilter } from '../../port/audit.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { jump } from '../maintenance/time.ts'
import { addPeople, after, HOUR, MINUTE, NOON } from '../samples.ts'

type NewEntry = WithInstants<Omit<AuditEntry, 'seq'>>

const ANN = { kind: 'user', id: 'ann', name: 'Ann' } as const

function entryOf(given: Partial<NewEntry> = {}): NewEntry {
  return {
    accountId: 'alice',
    at: NOON,
    actor: ANN,
    clientAddress: '192.0.2.1',
    action: 'hook.created',
    target: 'api-1',
    detail: 'example.com',
    ...given,
  }
}

async function targets(storage: Storage, filter: AuditFilter = {}, accountId = 'alice') {
  const entries = await storage.audit.list(accountId, filter, { limit: 100, before: null })
  return entries.map(({ target }) => target)
}

export function auditSuite({ open }: Engine): void {
  describe('the audit log', () => {
    it('the audit log returns unchanged entries, newest first', async () => {
      await using storage = await open()
      await addPeople(storage)
      const nobody = entryOf({
        actor: { kind: 'none', id: null, name: null },
        clientAddress: null,
        action: 'sign_in.failed',
        target: null,
        detail: null,
      })
      await storage.audit.append(entryOf())
      await storage.audit.append(nobody)
      const entries = await storage.audit.list('alice', {}, { limit: 10, before: null })
      assert.deepEqual(
        entries.map(({ seq: _, ...entry }) => entry),
        [nobody, entryOf()],
      )
    })

    it('the audit log has pages of `limit` entries before a number', async () => {
      await using storage = await open()
      await addPeople(storage)
      for (const target of ['a', 'b', 'c', 'd', 'e']) await storage.audit.append(entryOf({ target }))
      const seen: (string | null)[][] = []
      for (let before: number | null = null; seen.length < 4; ) {
        const page: AuditEntry[] = await storage.audit.list('alice', {}, { limit: 2, before })
        seen.push(page.map(({ target }) => target))
        before = page.at(-1)?.seq ?? 0
      }
      assert.deepEqual(seen, [['e', 'd'], ['c', 'b'], ['a'], []])
    })

    it('the audit log is filtered by action, actor, time, and all of these', async () => {
      await using storage = await open()
      await addPeople(storage)
      const token = { kind: 'token', id: 'tok', name: 'reports' } as const
      await storage.audit.append(entryOf({ target: 'a' }))
      await storage.audit.append(entryOf({ target: 'b', action: 'hook.deleted', at: after(MINUTE) }))
      await storage.audit.append(entryOf({ target: 'c', actor: token, at: after(HOUR) }))
      assert.deepEqual(await targets(storage, { action: 'hook.created' }), ['c', 'a'])
      assert.deepEqual(await targets(storage, { actorId: 'ann' }), ['b', 'a'])
      assert.deepEqual(await targets(storage, { since: after(MINUTE) }), ['c', 'b'])
      assert.deepEqual(await targets(storage, { until: after(MINUTE) }), ['a'])
      const all = { action: 'hook.created', actorId: 'tok', since: NOON, until: after(2 * HOUR) } as const
      assert.deepEqual(await targets(storage, all), ['c'])
    })

    it('the audit log contains only entries of its account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.audit.append(entryOf({ target: 'of alice' }))
      await storage.audit.append(entryOf({ target: 'of bob', accountId: 'bob' }))
      assert.deepEqual(await targets(storage), ['of alice'])
      assert.deepEqual(await targets(storage, { actorId: 'ann' }, 'bob'), ['of bob'])
    })

    it('the audit log loses only entries older than the retention', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.audit.append(entryOf({ target: 'old', at: after(HOUR - 1) }))
      await storage.audit.append(entryOf({ target: 'young', at: after(HOUR) }))
      assert.equal(await storage.maintenance.prune(after(HOUR), 100), 1)
      assert.deepEqual(await targets(storage), ['young'])
    })

    it('the audit log has no entry from the future after the clock went back', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.audit.append(entryOf({ at: after(10 * HOUR) }))
      await jump(storage, after(10 * HOUR), NOON)
      const [entry] = await storage.audit.list('alice', {}, { limit: 1, before: null })
      assert.deepEqual(entry?.at, NOON)
    })
  })
}
