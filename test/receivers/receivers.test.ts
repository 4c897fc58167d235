import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { ReceiverError } from '../../packages/receiver/src/receiver-error.ts'
import { verifySignature } from '../../packages/receiver/src/verify.ts'
import type { CreatedDestination } from '../../src/contract/console/destinations.ts'
import { signatureHeaders } from '../../src/model/signature.ts'
import { signedIn } from '../support/console-client.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { LANGUAGES, missing } from './languages.ts'
import { startExample } from './running.ts'

/** Tests the receivers of `examples/receivers` with the shared vectors and with deliveries of the service. */

type Vector = { name: string; status: number; headers: Record<string, string>; body: string }
const shared: { now: number; toleranceS: number; secrets: [string, string]; vectors: Vector[] } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../examples/receivers/vectors.json'), 'utf8'),
)

/** The vectors are dated in the past: this tolerance accepts their `now`, but not the vectors signed years earlier or later. */
const toleranceS = Math.floor(Date.now() / 1_000) - shared.now + shared.toleranceS

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())
const owner = await signedIn(running, 'Alice')
const appId = '407000001'
const where = { store: 'apple', appId, market: 'us' } as const
addApp(running.world, { store: 'apple', appId })
await owner.fetchJson('GET', `/v1/apps/search?q=${appId}&store=apple`)
await owner.fetchJson('PUT', `/v1/tracked-apps/apple/${appId}`, { countries: ['us'] })

test('the vectors have the signatures of the service', () => {
  const [first, , rotation] = shared.vectors
  const { 'content-type': _, ...headers } = first?.headers ?? {}
  const given = {
    eventId: headers['webhook-id'] ?? '',
    body: Buffer.from(first?.body ?? ''),
    at: new Date(shared.now * 1_000),
  }
  assert.deepEqual(signatureHeaders({ secrets: [shared.secrets[0]], ...given }), headers)
  assert.equal(rotation?.headers['webhook-signature']?.split(' ').length, 2)
})

test('the receiver package accepts and rejects the same vectors', async () => {
  const { secrets, now, vectors, toleranceS: tolerance } = shared
  for (const { name, status, headers, body } of vectors) {
    const options = { secrets, toleranceS: tolerance, now: () => now * 1_000 }
    const result = await verifySignature(body, headers, options).then(
      () => 204,
      (error: unknown) => (error instanceof ReceiverError ? error.status : error),
    )
    assert.equal(result, status, name)
  }
})

for (const language of LANGUAGES) {
  describe(language.name, { skip: missing(language) }, () => {
    test('the receiver accepts and rejects the vectors, and stores each event once', async () => {
      await using receiver = await startExample(language, { secrets: shared.secrets, toleranceS })
      const statuses: [string, number][] = []
      for (const { name, headers, body } of shared.vectors) {
        const { status } = await fetch(receiver.url, { method: 'POST', headers, body })
        statuses.push([name, status])
      }
      assert.deepEqual(
        statuses,
        shared.vectors.map(({ name, status }) => [name, status]),
      )
      const accepted = shared.vectors.filter(({ status }) => status === 204)
      const expected = new Map(accepted.map(({ headers, body }) => [headers['webhook-id'], body]))
      assert.deepEqual(new Map([...receiver.stored()].sort()), new Map([...expected].sort()))
      const [{ headers, body } = { headers: {}, body: '' }] = accepted
      const again = await Promise.all(
        [1, 2, 3].map(() => fetch(receiver.url, { method: 'POST', headers, body })),
      )
      assert.deepEqual(
        again.map(({ status }) => status),
        [204, 204, 204],
      )
      assert.equal(receiver.stored().size, accepted.length)
      const large = await fetch(receiver.url, { method: 'POST', headers, body: 'x'.repeat(1_048_577) })
      assert.equal(large.status, 413)
      assert.equal((await fetch(receiver.url)).status >= 400, true)
    })

    test('the receiver responds with 500 to an event that it cannot store', async () => {
      await using receiver = await startExample(language, { secrets: shared.secrets, toleranceS })
      const [{ headers, body } = { headers: {}, body: '' }] = shared.vectors
      receiver.breakInbox()
      assert.equal((await fetch(receiver.url, { method: 'POST', headers, body })).status, 500)
    })

    test('the receiver accepts deliveries of the service, also during a rotation of the secret', async () => {
      const hook = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
        target_url: 'http://127.0.0.1:9/',
        watch: { store: 'apple', app_id: appId, event_type: 'review.created' },
      })
      await using receiver = await startExample(language, { secrets: [hook.secret], toleranceS: 300 })
      await owner.fetchJson('PATCH', `/v1/hooks/${hook.id}`, { target_url: receiver.url })
      await baseline(running, appId)
      const bodies = () =>
        [...receiver.stored().values()].map((stored) => (JSON.parse(stored) as { body: string }).body).sort()
      const first = publish(running, where)
      await until('the first event is stored', () => receiver.stored().size === 1)
      await owner.fetchJson('POST', `/v1/hooks/${hook.id}/secret`, { overlap_hours: 1 })
      const second = publish(running, where)
      await until('the second event is stored', () => receiver.stored().size === 2)
      assert.deepEqual(bodies(), [first.body, second.body].sort())
      await until('both are delivered', async () => {
        const path = `/v1/deliveries?hook_id=${hook.id}`
        const { data } = await owner.fetchJson<{ data: { status: string; hook_id: string }[] }>('GET', path)
        const own = data.filter(({ hook_id }) => hook_id === hook.id)
        return own.length === 2 && own.every(({ status }) => status === 'delivered')
      })
      await owner.fetchJson('DELETE', `/v1/hooks/${hook.id}`)
    })
  })
}
