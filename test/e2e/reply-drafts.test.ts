import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import { connectStore } from '../support/connect-store.ts'
import { asksForDraft, labelAll, startModelServer } from '../support/model-server.ts'
import type { Person } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let reply = 'Thank you for the report. Which phone do you use?'
let isDown = false
const model = await startModelServer((request, response, count) => {
  if (!asksForDraft(request)) return labelAll(request, response, count)
  if (!isDown) return JSON.stringify({ reply })
  response.statusCode = 500
  response.end('{}')
  return null
})
const running = await startTestService({
  RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
  RADAR_ACCOUNT_REPLY_DRAFTS_PER_MINUTE: '3',
  RADAR_ENRICHMENT: 'llm',
  RADAR_LLM_URL: model.url,
  RADAR_LLM_MODEL: 'test-model',
})
after(async () => {
  await running[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})
const { world } = running

const draft = (who: Person, fingerprint: string) =>
  who.client.call<{ text: string }>('POST', `/reviews/${fingerprint}/reply/draft`)

/** The fingerprint of an enriched review of a connected app. */
async function connected(who: Person, appId: string): Promise<string> {
  const place = { store: 'google', appId, market: 'en' } as const
  addApp(world, place)
  await who.client.call('PUT', `/tracked-apps/google/${appId}`, { body: { countries: ['us'] } })
  // Otherwise a late first poll of the public pages would store the review.
  await baseline(running, appId)
  const id = await connectStore(who, world, place)
  await who.client.call('PUT', `/store-connections/${id}/apps/${appId}`)
  publish(running, place, { body: 'It crashes when I open a note.' })
  const row = await until('the review is enriched', async () => {
    const { data } = await who.client.listReviews({ app_id: appId })
    return data.find(({ source, enrichment }) => source !== 'public' && enrichment !== null)
  })
  return row.fingerprint
}

test('a draft is returned, and neither stored nor sent', async () => {
  const ann = await running.person('Ann')
  const fingerprint = await connected(ann, 'com.example.draft')
  const before = world.requests().length
  assert.deepEqual(await draft(ann, fingerprint), { text: reply })
  const asked = model.requests.find(asksForDraft)
  assert.match(asked?.messages[0]?.content ?? '', /in English \(ISO 639-1 "en"\)/)
  const shown = await ann.client.call<ReplyRow>('GET', `/reviews/${fingerprint}/reply`)
  assert.deepEqual([shown.state, shown.text, shown.draft], ['none', null, null])
  const writes = world
    .requests()
    .slice(before)
    .filter(({ source }) => /reply|response/i.test(source))
  assert.deepEqual(writes, [])

  const bob = await running.person('Bob')
  await assert.rejects(draft(bob, fingerprint), { status: 404 })

  reply = 'See https://evil.example for help.'
  await assert.rejects(draft(ann, fingerprint), {
    status: 503,
    message: /^The model’s draft was rejected: it had a link.*\. Try again, or write the answer yourself\.$/,
  })
  await assert.rejects(draft(ann, fingerprint), { status: 503 })
  const asks = model.requests.filter(asksForDraft).length
  await assert.rejects(draft(ann, fingerprint), {
    status: 429,
    message: /^An account is limited to 3 drafts of answers per minute\. Try again in \d+ s\.$/,
  })
  assert.equal(model.requests.filter(asksForDraft).length, asks)
})

test('drafts are paused after repeated failures of the model server, with a sentence, and recover', async () => {
  const zoe = await running.person('Zoe')
  const fingerprint = await connected(zoe, 'com.example.paused')
  const another = async () => {
    // A new minute of the limit of drafts.
    running.clock.leap(20_000)
    return draft(zoe, fingerprint)
  }
  isDown = true
  for (let round = 0; round < 5; round += 1) {
    await assert.rejects(another(), { status: 503, message: /^The model server failed\./ })
  }
  const asks = model.requests.filter(asksForDraft).length
  await assert.rejects(another(), {
    status: 503,
    message:
      /^The model server failed repeatedly, so drafts are paused\. Try again in \d+ s, or write the answer yourself\.$/,
  })
  assert.equal(model.requests.filter(asksForDraft).length, asks)
  isDown = false
  reply = 'Thank you.'
  running.clock.leap(60_000)
  assert.deepEqual(await draft(zoe, fingerprint), { text: reply })

  const assistant = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${zoe.token}` }
  await assistant.connect(
    new StreamableHTTPClientTransport(new URL(`${running.url}/mcp`), { requestInit: { headers } }),
  )
  const result = await assistant.callTool({ name: 'draft_reply', arguments: { fingerprint } })
  await assistant.close()
  assert.deepEqual((result.structuredContent as { untrusted: object }).untrusted, { draft: reply })
  const shown = await zoe.client.call<ReplyRow>('GET', `/reviews/${fingerprint}/reply`)
  assert.deepEqual([shown.state, shown.draft], ['none', null])
})

test('a review that cannot be answered gets no draft', async () => {
  const eve = await running.person('Eve')
  const place = { store: 'google', appId: 'com.example.public', market: 'en' } as const
  addApp(world, place)
  publish(running, place, { body: 'It crashes when I open a note.' })
  await eve.client.call('PUT', `/tracked-apps/google/${place.appId}`, { body: { countries: ['us'] } })
  const row = await until('the review is stored', async () => {
    const { data } = await eve.client.listReviews({ app_id: place.appId })
    return data[0]
  })
  const before = model.requests.filter(asksForDraft).length
  await assert.rejects(draft(eve, row.fingerprint), { status: 409, message: /store connection/ })
  assert.equal(model.requests.filter(asksForDraft).length, before)
})
