import type { CreatedDestination } from '../../../src/contract/console/destinations.ts'
import type { InboxPage } from '../../../src/contract/console/inbox.ts'
import type { ReviewPage } from '../../../src/contract/v1/reviews.ts'
import { publish, publishOld } from '../../../test/support/publish.ts'
import { NOTES, RUNS, startSeededConsole } from './seeded-console.ts'

/** An account with apps, reviews, a healthy destination and a failing one. */
export async function startPopulatedConsole() {
  const seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  for (const app of [NOTES, RUNS]) {
    publishOld(running, { ...app, market: app.store === 'apple' ? 'us' : 'en' }, 5)
    await ann.fetchJson('PUT', `/v1/tracked-apps/${app.store}/${app.appId}`, { countries: ['us', 'de'] })
  }
  const made = await seeded.newDestination()
  await ann.fetchJson('POST', '/inbox', {})
  const { destination: inbox } = await ann.fetchJson<InboxPage>('GET', '/inbox')
  if (inbox === null) throw new Error('The account has no inbox.')
  await ann.fetchJson('POST', `/v1/hooks/${inbox.id}/test`, {})
  await ann.fetchJson('POST', '/destinations', {
    target_url: 'http://127.0.0.1:9/closed',
    watch: { store: NOTES.store, app_id: NOTES.appId, event_type: 'review.created', max_stars: 2 },
  })
  const slack = await ann.fetchJson<CreatedDestination>('POST', '/destinations', {
    target_type: 'slack',
    target_settings: { webhook_url: `${new URL(receiver.url).origin}/services/T1/B2/secret` },
    message_schedule: { time_zone: 'UTC', daily_at: '09:00', quiet_from: '22:00', quiet_until: '07:00' },
  })
  publish(
    running,
    { ...NOTES, market: 'us' },
    { rating: 1, body: 'It crashes all the time, please fix', publishedAt: new Date(Date.now() + 2_000) },
  )
  const [event] = await receiver.received(1)
  const { data: reviews } = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
  return {
    ...seeded,
    chatPath: `/destinations/${slack.id}`,
    destinationPath: `/destinations/${made.id}`,
    appPath: `/apps/${NOTES.store}/${NOTES.appId}`,
    paths: [
      '/',
      '/getting-started',
      '/apps',
      '/apps/add',
      ...['', '/ratings', '/reviews', '/breakdown', '/feeds'].map(
        (section) => `/apps/${NOTES.store}/${NOTES.appId}${section}`,
      ),
      '/reviews',
      '/to-answer',
      '/compare',
      '/apps?layout=table',
      `/compare?app1=${NOTES.store}/${NOTES.appId}&app2=all&period2=30d-before`,
      `/reviews/${reviews[0]?.fingerprint}`,
      '/inbox',
      '/destinations',
      '/destinations/new',
      `/destinations/${made.id}`,
      `/destinations/${inbox.id}`,
      `/destinations/${slack.id}`,
      '/deliveries',
      `/deliveries/${event?.headers['x-radar-event-id']}`,
      '/dead-letters',
      '/account',
      '/account/tokens',
      '/account/alerts',
      '/account/sign-in',
      '/audit-log',
      '/status',
      '/system',
      '/system/feeds',
      '/system/nodes',
      '/system/settings',
      '/nowhere',
    ],
    [Symbol.asyncDispose]: () => seeded[Symbol.asyncDispose](),
  }
}
