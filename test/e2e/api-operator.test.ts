import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { EVENT_TYPES } from '../../src/model/vocabulary.ts'
import { startTestService } from '../support/service.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())

test('/healthz responds while the process runs', async () => {
  const answer = await radar.request('/healthz')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { status: 'ok' })
})

test('/readyz is ready while the database responds and the loops run, else it gives the reasons', async () => {
  assert.deepEqual((await radar.request('/readyz')).json(), { status: 'ready', reasons: [], warnings: [] })
  const { maintenance } = radar.service.storage as { maintenance: { ping: () => Promise<boolean> } }
  const { ping } = maintenance
  maintenance.ping = async () => false
  try {
    const answer = await radar.request('/readyz')
    assert.equal(answer.status, 503)
    assert.deepEqual(answer.json(), {
      status: 'not ready',
      reasons: ['The database does not answer.'],
      warnings: [],
    })
  } finally {
    maintenance.ping = ping
  }
})

test('/metrics is in the Prometheus format and has every documented metric', async () => {
  const answer = await radar.request('/metrics')
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
  for (const name of [
    'radar_attempts_total',
    '# TYPE radar_attempt_seconds histogram',
    '# TYPE radar_due_to_sent_seconds histogram',
    'radar_polls_total',
    'radar_queue_depth{state="pending"}',
    'radar_oldest_due_age_seconds',
    'radar_dlq_size',
    'radar_breakers_open',
    '# TYPE radar_claim_batch_size histogram',
    'radar_build_info{version=',
    'process_resident_memory_bytes',
  ]) {
    assert.ok(answer.text.includes(name), `${name} is not among the metrics`)
  }
})

test('openapi.json describes the running service', async () => {
  const document = (await radar.request('/openapi.json')).json() as {
    openapi: string
    servers: { url: string }[]
    paths: object
    webhooks: object
  }
  assert.match(document.openapi, /^3\.1\./)
  assert.equal(document.servers[0]?.url, radar.url)
  assert.ok('/api/v1/hooks/{id}/test' in document.paths)
  assert.deepEqual(Object.keys(document.webhooks), EVENT_TYPES)
})

test('the reference page has no scripts and external resources, and its policy allows only its style', async () => {
  const answer = await radar.request('/docs')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(!/<script|<link|<img|src=|url\(|@import|href="http/.test(answer.text))
  const style = /<style>([\s\S]*?)<\/style>/.exec(answer.text)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = answer.headers.get('content-security-policy') ?? ''
  assert.ok(policy.includes(`style-src 'sha256-${hash}'`) && policy.startsWith("default-src 'none'"))
  for (const shown of [
    '/api/v1/hooks',
    'external_ref',
    'rating.dropped',
    'x-radar-signature',
    'summary_en',
  ]) {
    assert.ok(answer.text.includes(shown), shown)
  }
})
