import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import { createLog } from '../../src/runtime/pino-log.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import { openDatabase } from '../support/database-rows.ts'
import { labels, startModelServer } from '../support/model-server.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const APP = { store: 'google', appId: 'com.example.erased', market: 'en' } as const
const RULE = { store: APP.store, app_id: APP.appId, event_type: 'review.created' } as const
/** In every text of the review, and in every text about it. */
const MARKER = 'nobody may read this again'

const COPIES = [
  'attempts.record',
  'audit_entries.detail',
  'events.body',
  'model_cache.enrichment',
  'quarantined_rows.raw',
  'replies.draft',
  'replies.sent_text',
  'replies.shown_text',
  'replies.text',
  'replies.undo_to',
  'reviews.app_version',
  'reviews.author',
  'reviews.body',
  'reviews.enrichment',
  'reviews.reply_text',
  'tests.body',
  'tests.record',
  'triage.notes',
  'triage.tags',
]

for (const engine of ['sqlite', 'postgres'] as const)
  test(`a review that is erased leaves no text in any column of any table, wherever it was copied, and in no line of the log (${engine})`, async () => {
    await using model = await startModelServer(({ items }) =>
      JSON.stringify({
        reviews: items.map(({ id, text }) =>
          labels(id, text.includes(MARKER) ? { summary_en: `${MARKER}, it says.` } : {}),
        ),
      }),
    )
    const lines: string[] = []
    await using radar = await startTestService(
      {
        RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
        RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
        RADAR_ENRICHMENT: 'llm',
        RADAR_LLM_URL: model.url,
        RADAR_LLM_MODEL: 'test-model',
      },
      { engine, log: createLog('debug', { write: (line) => void lines.push(line) }) },
    )
    withoutQuotas(radar.world)
    addApp(radar.world, APP)
    await using db = await openDatabase(radar.environment)
    await using receiver = await startReceiver()
    await using slack = await startReceiver()
    receiver.answerWith(500, {}, MARKER)
    slack.answerWith(200, {}, MARKER)
    // Bob reads the public pages, Alice her store. Both have an event of the review.
    const [bob, alice] = [await radar.person('Bob'), await radar.person('Alice')]
    const channel = { webhook_url: `${new URL(slack.url).origin}/services/T1/B1/secret` }
    const toSlack = { ...RULE, target_type: 'slack', target_settings: channel } as const
    const slackHooks: string[] = []
    for (const { client } of [bob, alice]) {
      await client.subscribe({ ...RULE, target_url: receiver.url })
      slackHooks.push((await client.subscribe(toSlack)).id)
    }
    // Without them the row that cannot be read would be the whole page.
    publishOld(radar, APP, 3)
    await baseline(radar, APP.appId)
    const connection = await connectStore(alice, radar.world, APP)
    await alice.client.call('PUT', `/store-connections/${connection}/apps/${APP.appId}`)
    const texts = { body: `${MARKER}.`, author: MARKER, version: MARKER }
    const { id } = publish(radar, APP, texts)
    const stored = (client: typeof bob.client, isOfficial: boolean) =>
      until('the review is stored and understood', async () => {
        const { data } = await client.listReviews({ store: APP.store, app_id: APP.appId })
        return data.find(
          ({ source, enrichment }: ReviewRow) => enrichment !== null && (source !== 'public') === isOfficial,
        )
      })
    const shown = await stored(bob.client, false)
    const own = await stored(alice.client, true)
    for (const { client } of [bob, alice])
      await until('a dead letter and a message', async () => {
        const dead = await client.call<{ data: object[] }>('GET', '/dead-letters')
        const sent = await client.call<{ data: object[] }>('GET', '/deliveries?status=delivered')
        return dead.data.length > 0 && sent.data.length > 0
      })

    for (const [at, { client }] of [bob, alice].entries()) {
      const path = `/reviews/${(at === 0 ? shown : own).fingerprint}`
      await client.testHook(slackHooks[at] ?? '')
      await client.call('PATCH', `${path}/triage`, { body: { tags: [MARKER] } })
      const { fingerprint } = at === 0 ? shown : own
      await client.call('PATCH', '/triage', { body: { reviews: [{ fingerprint, add_tags: [MARKER] }] } })
      await client.call('POST', `${path}/notes`, { body: { text: MARKER } })
    }
    const reply = `/reviews/${own.fingerprint}/reply`
    await alice.client.call('PUT', reply, { body: { text: `${MARKER}!` } })
    await until('the public page shows the answer', async () => {
      const [row] = (await bob.client.listReviews({ store: APP.store, app_id: APP.appId })).data
      return row?.public_reply !== null
    })
    await alice.client.call('PUT', reply, { body: { text: `${MARKER}?`, undo_seconds: 60 } })
    await alice.client.call('PUT', `${reply}/draft`, { body: { text: MARKER } })
    radar.world.setFault({ store: APP.store, appId: APP.appId }, { kind: 'malformed_rows', reviewIds: [id] })
    await until(
      'its row is in quarantine',
      async () => (await radar.service.storage.feeds.quarantined({ limit: 1 })).length === 1,
    )

    const before = Object.keys(await db.rowsWith([MARKER])).sort()
    assert.deepEqual(before, COPIES)
    const { status, err } = await radarCommand(
      ['erase', '--review', shown.fingerprint, '--yes'],
      radar.environment,
    )
    assert.equal(status, 0, err)
    assert.deepEqual(await db.rowsWith([MARKER]), {})
    assert.deepEqual(
      lines.filter((line) => line.includes(MARKER)),
      [],
    )
  })
