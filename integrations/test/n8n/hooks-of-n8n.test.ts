import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { APPLE_APP, dropRating, publishNewReview } from '../support/platform.ts'
import {
  activate,
  alice,
  deactivate,
  executed,
  hookCount,
  hooks,
  n8n,
  outputsOf,
  radar,
  triggered,
} from './workflows.ts'

/** The hooks of a real n8n over restarts, a new public URL and a deletion at the service, and the events of spikes and recoveries. */

const REVIEWS = { event: 'review.created', countries: [], minStars: 1, maxStars: 5 }
/** Above the five minutes in which the trigger checks its hook. */
const CHECKED_MS_MAX = 400_000

const reports = () => n8n.output().split('Review Radar no longer had the hook').length - 1

test('n8n starts a workflow with a spike of negative reviews', async () => {
  const workflow = await triggered({ event: 'reviews.spiked', spikeMinReviews: 5, spikeFactor: 3 })
  await activate(workflow)
  for (let nth = 0; nth < 6; nth += 1) await publishNewReview(radar, 1)
  await executed(workflow, 1)
  assert.equal((await outputsOf(workflow)).Trigger?.event_type, 'reviews.spiked')
  await deactivate(workflow)
})

test('n8n starts a workflow with a recovery of the rating', async () => {
  const workflow = await triggered({ event: 'rating.recovered', firesWhen: 'delta', delta: 0.1 })
  await activate(workflow)
  await dropRating(radar)
  const { store, appId } = APPLE_APP
  const ratings = () =>
    alice.client.call<{ data: { rating: number }[] }>(
      'GET',
      `/ratings?store=${store}&app_id=${appId}&country=us`,
    )
  await until('the drop is known', async () => (await ratings()).data.some(({ rating }) => rating === 4.1))
  radar.world.setRating({ store, appId, storefront: 'us' }, { average: '4.5', count: 1_002 })
  await executed(workflow, 1)
  assert.equal((await outputsOf(workflow)).Trigger?.event_type, 'rating.recovered')
  await deactivate(workflow)
})

test('n8n creates a hook again that was deleted while it did not run, and says so', async () => {
  const workflow = await triggered(REVIEWS)
  await activate(workflow)
  const [deleted] = await hooks()
  await n8n.restart({ meanwhile: async () => void (await alice.client.unsubscribe(deleted?.id ?? '')) })
  await hookCount(1)
  await until('it is logged', () => reports() > 0)
  await publishNewReview(radar)
  await executed(workflow, 1)
  await deactivate(workflow)
})

test('n8n creates a hook again that was deleted while it runs, and says so', async () => {
  const workflow = await triggered(REVIEWS)
  await activate(workflow)
  const [deleted] = await hooks()
  const before = reports()
  await alice.client.unsubscribe(deleted?.id ?? '')
  await until('there is a hook', async () => (await hooks()).length === 1, CHECKED_MS_MAX)
  await until('it is logged', () => reports() > before)
  await publishNewReview(radar)
  await executed(workflow, 1)
  // n8n has stored the new hook, so it keeps it.
  const [created] = await hooks()
  await n8n.restart()
  await publishNewReview(radar)
  await executed(workflow, 2)
  assert.deepEqual(await hooks().then((all) => all.map(({ id }) => id)), [created?.id])
  await deactivate(workflow)
})

test('n8n moves its hook to a new public URL, and leaves none when the workflow is deactivated', async () => {
  const workflow = await triggered(REVIEWS)
  await activate(workflow)
  const [before] = await hooks()
  const moved = n8n.url.replace('127.0.0.1', 'localhost')
  await n8n.restart({ settings: { WEBHOOK_URL: `${moved}/` } })
  await until('it has moved', async () => (await hooks())[0]?.target_url.startsWith(`${moved}/`))
  assert.deepEqual(await hooks().then((all) => all.map(({ id }) => id)), [before?.id])
  await publishNewReview(radar)
  await executed(workflow, 1)
  await deactivate(workflow)
})
