import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import type { CreatedDestination } from '../../../src/contract/console/destinations.ts'
import type { NewSecret } from '../../../src/contract/v1/hook-actions.ts'
import { signedIn } from '../../../test/support/console-client.ts'
import { listen } from '../../../test/support/listen.ts'
import { publish } from '../../../test/support/publish.ts'
import { baseline } from '../../../test/support/radar.ts'
import { addApp, startTestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { memoryDedupe } from './dedupe.ts'
import type { WebhookEvent } from './events.ts'
import { nodeHandler } from './node.ts'

const appId = '405000001'

test('the library verifies and dedupes deliveries of the service, also during a rotation of the secret', async () => {
  await using running = await startTestService()
  // The service signs with the time of its test clock.
  const now = () => running.clock.now().getTime()
  const events: WebhookEvent[] = []
  const requests: number[] = []
  const dedupe = memoryDedupe()
  let secret = ''
  const server = createServer((request, response) => {
    response.once('finish', () => requests.push(response.statusCode))
    const receive = nodeHandler({ secret, now, dedupe, onEvent: (event) => events.push(event) })
    void receive(request, response)
  })
  await using receiver = await listen(server)

  const owner = await signedIn(running, 'Alice')
  addApp(running.world, { store: 'apple', appId })
  await owner.fetchJson('GET', `/v1/apps/search?q=${appId}&store=apple`)
  await owner.fetchJson('PUT', `/v1/tracked-apps/apple/${appId}`, { countries: ['us'] })
  const hook = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
    target_url: receiver.url,
    watch: { store: 'apple', app_id: appId, event_type: 'review.created' },
  })
  secret = hook.secret
  await baseline(running, appId)
  const where = { store: 'apple', appId, market: 'us' } as const
  const first = publish(running, where)
  await until('the first event arrives', () => events.length === 1)
  assert.equal(events[0]?.event_type === 'review.created' && events[0].body, first.body)

  const { event_id: eventId } = await until('the first delivery is settled', async () => {
    const { data } = await owner.fetchJson<{ data: { event_id: string; status: string }[] }>(
      'GET',
      '/v1/deliveries',
    )
    return data.find(({ status }) => status === 'delivered')
  })
  await owner.fetchJson('POST', `/v1/deliveries/${eventId}/resend`, {})
  await until('the event arrives again', () => requests.length === 2)
  assert.equal(events.length, 1)

  const rotated = await owner.fetchJson<NewSecret>('POST', `/v1/hooks/${hook.id}/secret`, {
    overlap_hours: 1,
  })
  const old = secret
  publish(running, where)
  await until('the old secret verifies', () => events.length === 2)
  secret = rotated.secret
  assert.notEqual(secret, old)
  publish(running, where)
  await until('the new secret verifies', () => events.length === 3)
  assert.deepEqual([...new Set(requests)], [204])
})
