import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import type { BulkReplyResult, ReplyBatch, ReplyPreviewRow } from '../../src/contract/v1/bulk-replies.ts'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import type { ReplyTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import { bulkReplyOperations } from '../../src/operations/replies/bulk.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import type { Person } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world, clock } = radar
withoutQuotas(world)
const bob = await radar.person('Bob')

let apps = 0
/** An account with a template and a connected app of Google Play that has two reviews, the newest first. */
async function connected() {
  apps += 1
  const who = await radar.person(`Ann ${apps}`)
  const place = { store: 'google', appId: `com.example.batch${apps}`, market: 'en' } as const
  addApp(world, place)
  await who.client.call('PUT', `/tracked-apps/google/${place.appId}`, { body: { countries: ['us'] } })
  // Otherwise a late first poll of the public pages would store the reviews.
  await baseline(radar, place.appId)
  const connectionId = await connectStore(who, world, place)
  await who.client.call('PUT', `/store-connections/${connectionId}/apps/${place.appId}`)
  publish(radar, place, { author: 'Zoe' })
  publish(radar, place, { author: 'Yan' })
  const fingerprints = await until('the reviews are stored', async () => {
    const { data } = await who.client.listReviews({ app_id: place.appId })
    const official = data.filter(({ source }) => source !== 'public')
    return official.length === 2 ? official.map(({ fingerprint }) => fingerprint) : null
  })
  const body = { name: 'Thanks', text: 'Thanks, {{author}}!' }
  const template = await who.client.call<ReplyTemplateRow>('POST', '/reply-templates', { body })
  return { who, connectionId, fingerprints, template, asked: { template_id: template.id, fingerprints } }
}
const send = ({ client }: Person, body: object) =>
  client.call<BulkReplyResult>('POST', '/reviews/replies', { body })
const batchOf = ({ client }: Person, id: string) => client.call<ReplyBatch>('GET', `/reply-batches/${id}`)
const undo = ({ client }: Person, id: string) => client.call('POST', `/reply-batches/${id}/undo`)
const replyOf = ({ client }: Person, fingerprint: string) =>
  client.call<ReplyRow>('GET', `/reviews/${fingerprint}/reply`)
/** What the audit log says of answers, newest first: action, target and detail. */
async function recorded({ client }: Person) {
  const { data } = await client.call<AuditPage>('GET', '/audit-log')
  return data
    .filter(({ action }) => action === 'reply.requested' || action === 'reply.undone')
    .map(({ action, target, detail }) => [action, target, detail])
}

test('answers from a template wait, have a receipt, and are undone together; the audit log names their batch', async () => {
  const { who, fingerprints, asked } = await connected()
  const previews = await who.client.call<ReplyPreviewRow[]>('POST', '/reviews/replies/preview', {
    body: asked,
  })
  const texts = previews.map(({ text }) => text)
  assert.deepEqual(texts.toSorted(), ['Thanks, Yan!', 'Thanks, Zoe!'])
  const unknown = 'f'.repeat(64)
  const sent = await send(who, {
    ...asked,
    fingerprints: [...fingerprints, unknown, ...fingerprints],
    undo_seconds: 30,
  })
  assert.equal(sent.changed, 2)
  assert.deepEqual(sent.failed, [{ id: unknown, reason: 'The account has no review with this fingerprint.' }])
  const receipt = await batchOf(who, sent.batch_id)
  assert.deepEqual(
    receipt.replies.map(({ fingerprint, text, state, undo_until }) => [fingerprint, text, state, undo_until]),
    fingerprints.map((fingerprint, index) => [fingerprint, texts[index], 'pending', sent.undo_until]),
  )
  const again = await send(who, asked)
  assert.equal(again.changed, 0)
  assert.deepEqual(
    again.failed,
    fingerprints.map((id) => ({ id, reason: 'An answer is being sent.' })),
  )
  await assert.rejects(batchOf(bob, sent.batch_id), { status: 404 })
  await assert.rejects(undo(bob, sent.batch_id), { status: 404 })
  assert.deepEqual(await undo(who, sent.batch_id), { undone: 2, too_late: 0 })
  await assert.rejects(batchOf(who, sent.batch_id), { status: 404 })
  await assert.rejects(undo(who, sent.batch_id), { status: 404 })
  const replies = await Promise.all(fingerprints.map((each) => replyOf(who, each)))
  assert.deepEqual(
    replies.map(({ state, draft }) => [state, draft]),
    texts.map((text) => ['draft', text]),
  )
  assert.deepEqual(await recorded(who), [
    ['reply.undone', sent.batch_id, '2 answers'],
    ['reply.requested', sent.batch_id, '2 answers'],
  ])
})

test('answers from a template that are sent are too late for an undo, and are not replaced', async () => {
  const { who, fingerprints, asked } = await connected()
  const sent = await send(who, { ...asked, undo_seconds: 300 })
  clock.leap(301_000)
  const receipt = await until('the answers are published', async () => {
    const { replies } = await batchOf(who, sent.batch_id)
    return replies.every(({ state }) => state === 'published') ? replies : null
  })
  assert.deepEqual(new Set(receipt.map(({ undo_until }) => undo_until)), new Set([null]))
  assert.deepEqual(await undo(who, sent.batch_id), { undone: 0, too_late: 2 })
  const again = await send(who, asked)
  assert.deepEqual(
    again.failed,
    fingerprints.map((id) => ({ id, reason: 'The review has an answer.' })),
  )
  assert.deepEqual(await recorded(who), [['reply.requested', sent.batch_id, '2 answers']])
})

test('answers from a template are not sent when it was changed since the preview', async () => {
  const { who, fingerprints, template, asked } = await connected()
  clock.leap(1)
  const path = `/reply-templates/${template.id}`
  const changed = await who.client.call<ReplyTemplateRow>('PUT', path, {
    body: { name: 'Thanks', text: 'Sorry, {{author}}!' },
  })
  await assert.rejects(send(who, { ...asked, template_updated_at: template.updated_at }), {
    status: 409,
    message: 'The template was changed meanwhile. Look at the preview again.',
  })
  await assert.rejects(send(who, { ...asked, template_updated_at: 'today' }), {
    status: 400,
    message: /^template_updated_at must be an ISO 8601 date and time/,
  })
  const [fingerprint = ''] = fingerprints
  assert.equal((await replyOf(who, fingerprint)).state, 'none')
  const one = { ...asked, fingerprints: [fingerprint], undo_seconds: 30 }
  assert.equal((await send(who, { ...one, template_updated_at: changed.updated_at })).changed, 1)
  assert.match((await replyOf(who, fingerprint)).text ?? '', /^Sorry, /)
})

test('the seconds for an undo are a whole number from 0 to 300', async () => {
  const { who, fingerprints, asked } = await connected()
  const [fingerprint = ''] = fingerprints
  const refused = { status: 400, message: /^undo_seconds must be a whole number from 0 to 300/ }
  const answer = (undo_seconds: unknown, text = 'Hi') =>
    who.client.call<ReplyRow>('PUT', `/reviews/${fingerprint}/reply`, { body: { text, undo_seconds } })
  for (const seconds of [-1, 301, 1.5, '30']) {
    await assert.rejects(answer(seconds), refused, String(seconds))
    await assert.rejects(send(who, { ...asked, undo_seconds: seconds }), refused, String(seconds))
  }
  assert.equal((await replyOf(who, fingerprint)).state, 'none')
  const before = clock.now().getTime()
  const waits = Date.parse((await answer(300)).undo_until ?? '') - before
  assert.ok(waits > 299_000 && waits < 330_000, `${waits} ms`)
  assert.equal((await answer(0, 'Hello')).undo_until, null)
})

test('answers that wait are refused as not sent when their store connection is removed', async () => {
  const { who, connectionId, asked } = await connected()
  const sent = await send(who, { ...asked, undo_seconds: 300 })
  await who.client.call('DELETE', `/store-connections/${connectionId}`)
  const problem = 'The store connection was removed before the answer was sent.'
  const { replies } = await batchOf(who, sent.batch_id)
  assert.deepEqual(
    replies.map((reply) => [reply.state, reply.problem, reply.undo_until]),
    [0, 1].map(() => ['refused', problem, null]),
  )
  assert.deepEqual(await undo(who, sent.batch_id), { undone: 0, too_late: 2 })
  const again = await send(who, asked)
  assert.match(again.failed[0]?.reason ?? '', /Connect the store/)
})

test('an answer that a colleague gives while a call is prepared is kept, and the call says so', async () => {
  const { who, fingerprints, asked } = await connected()
  const [first = '', second = ''] = fingerprints
  const { replies, reports, replyTemplates } = radar.service.storage
  const targets: typeof replies.targets = async (...given) => {
    const found = await replies.targets(...given)
    const body = { text: 'By a colleague', undo_seconds: 300 }
    await who.client.call('PUT', `/reviews/${first}/reply`, { body })
    return found
  }
  const between = { ...replies, targets }
  const deps = { replies: between, reports, replyTemplates, officialStores: [], clock, wake() {} }
  const { changed, failed } = await bulkReplyOperations(deps).send(
    who.accountId,
    { templateId: asked.template_id, templateAt: null, fingerprints, undoMs: 300_000 },
    'Ann',
  )
  assert.deepEqual([changed, failed], [1, [{ id: first, reason: 'An answer is being sent.' }]])
  assert.equal((await replyOf(who, first)).text, 'By a colleague')
  assert.match((await replyOf(who, second)).text ?? '', /^Thanks, /)
})
