import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CreatedDestination } from '../../src/contract/console/destinations.ts'
import { signedIn } from '../support/console-client.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())

const EARLY = { store: 'apple', appId: '501000001', market: 'us' } as const
const LATE = { store: 'apple', appId: '501000002', market: 'us' } as const

test('a destination for all apps gets one event per new review, also for an app added later', async () => {
  await using receiver = await startReceiver()
  const { fetchJson } = await signedIn(running, 'Ann')
  for (const { store, appId } of [EARLY, LATE]) addApp(running.world, { store, appId, name: `App ${appId}` })
  await fetchJson('PUT', `/v1/tracked-apps/apple/${EARLY.appId}`, { countries: ['us'] })
  publishOld(running, LATE, 3)
  const { id } = await fetchJson<CreatedDestination>('POST', '/destinations', {
    target_url: receiver.url,
    watch_set: { apps: 'all', event_type: 'review.created' },
  })
  // A second subscription, for one app, matches the same reviews.
  await fetchJson('POST', `/v1/hooks/${id}/watches`, {
    store: 'apple',
    app_id: EARLY.appId,
    event_type: 'review.created',
  })
  await baseline(running, EARLY.appId)
  await fetchJson('PUT', `/v1/tracked-apps/apple/${LATE.appId}`, { countries: ['us'] })
  await baseline(running, LATE.appId)
  publish(running, EARLY, { body: 'early' })
  await receiver.received(1)
  publish(running, LATE, { body: 'late' })
  const events = await receiver.received(2)
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body.toString()).body),
    ['early', 'late'],
  )
})
