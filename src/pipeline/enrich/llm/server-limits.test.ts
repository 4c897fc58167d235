import assert from 'node:assert/strict'
import { test } from 'node:test'
import { many, never, review, withModel } from '../../../../test/support/model-engine.ts'
import { type Behaviour, labelAll, labels, type ModelRequest } from '../../../../test/support/model-server.ts'
import { type Clock, systemClock } from '../../../runtime/clock.ts'
import { OUTPUT_FORMATS } from './chat.ts'

/** Rejects requests that match `isRejected`, with the error `message`. */
const rejecting =
  (message: string, isRejected: (request: ModelRequest) => boolean): Behaviour =>
  (request, response, count) => {
    if (!isRejected(request)) return labelAll(request, response, count)
    response.statusCode = 400
    response.end(JSON.stringify({ error: { message } }))
    return null
  }

for (const [parameter, message, sent] of [
  [
    'max_tokens',
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    'max_completion_tokens',
  ],
  ['temperature', "'temperature' does not support 0 with this model.", 'max_tokens'],
] as const)
  test(`the model engine stops sending ${parameter} to a server that rejects it`, async () => {
    const behave = rejecting(message, ({ parameters }) => parameter in parameters)
    await withModel(behave, async ({ enrich, server, fallbacks }) => {
      await enrich(many(1), never)
      await enrich(many(1), never)
      assert.deepEqual(fallbacks, [])
      assert.deepEqual(
        server.requests.map(({ parameters }) => parameter in parameters),
        [true, false, false],
      )
      assert.ok(server.requests.every(({ responseFormat }) => responseFormat === 'json_schema'))
      assert.ok(sent in (server.requests[2]?.parameters ?? {}))
    })
  })

test('the model engine stops sending parameters to a server that rejects them without a reason', async () => {
  const behave = rejecting('Bad request', ({ parameters }) => 'temperature' in parameters)
  await withModel(behave, async ({ enrich, server, fallbacks }) => {
    await enrich(many(1), never)
    await enrich(many(1), never)
    assert.deepEqual(fallbacks, [])
    assert.equal(server.requests.length, OUTPUT_FORMATS.length + 2)
  })
})

for (const message of ['The response was filtered: content_filter', 'Bad request'])
  test(`the model engine keeps the strict format after one review is rejected with "${message}"`, async () => {
    const behave = rejecting(message, ({ items }) => items.some(({ text }) => text.includes('forbidden')))
    await withModel(behave, async ({ enrich, server, fallbacks }) => {
      await enrich([review('Some forbidden words about it')], never)
      assert.deepEqual(fallbacks, ['refused'])
      await enrich(many(1), never)
      assert.equal(server.requests.at(-1)?.responseFormat, 'json_schema')
      assert.ok('temperature' in (server.requests.at(-1)?.parameters ?? {}))
      assert.deepEqual(fallbacks, ['refused'])
    })
  })

test('the model engine tries the strict format again after an hour', async () => {
  let nowMs = 0
  let knowsSchema = false
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs }
  const behave = rejecting(
    'unknown response_format',
    ({ responseFormat }) => !knowsSchema && responseFormat !== 'none',
  )
  await withModel(
    behave,
    async ({ enrich, server }) => {
      await enrich(many(1), never)
      knowsSchema = true
      nowMs = 59 * 60_000
      await enrich(many(1), never)
      assert.equal(server.requests.at(-1)?.responseFormat, 'none')
      nowMs = 61 * 60_000
      await enrich(many(1), never)
      await enrich(many(1), never)
      assert.deepEqual(
        server.requests.slice(-2).map(({ responseFormat }) => responseFormat),
        ['json_schema', 'json_schema'],
      )
    },
    { clock },
  )
})

test('the model engine sends the name of the app to the model', async () => {
  const app = { name: 'Deezer: Music', developer: 'Deezer SA' }
  await withModel(labelAll, async ({ enrich, server }) => {
    await enrich([review('It crashes all day long', { app })], never)
    assert.deepEqual(server.requests[0]?.app, app)
  })
})

test('the model engine does not treat the app itself as a competitor', async () => {
  const behave: Behaviour = (request) =>
    JSON.stringify({
      reviews: request.items.map(({ id }) =>
        labels(id, {
          mentions_competitor: true,
          competitor_named: 'Deezer',
          themes: ['comparison', 'other'],
        }),
      ),
    })
  const body = 'Deezer crashes all day long'
  await withModel(behave, async ({ enrich, server }) => {
    const own = review(body, { app: { name: 'Deezer: Music', developer: null } })
    const [answer] = await enrich([own], never)
    assert.equal(answer?.enrichment.mentions_competitor, false)
    assert.deepEqual(answer?.enrichment.themes, ['other'])
    const other = review(body, { app: { name: 'Spotify', developer: null }, appId: '2' })
    const [compared] = await enrich([other], never)
    assert.equal(compared?.enrichment.competitor_named, 'Deezer')
    assert.equal(server.requests.length, 2)
  })
})

test('the model engine opens the breaker after unusable answers with status 200', async () => {
  await withModel(
    () => 'BANANA',
    async ({ enrich, fallbacks }) => {
      for (let round = 0; round < 7; round += 1) await enrich(many(1), never)
      assert.deepEqual(fallbacks.slice(4), ['invalid_answer', 'breaker_open', 'breaker_open'])
    },
  )
})
