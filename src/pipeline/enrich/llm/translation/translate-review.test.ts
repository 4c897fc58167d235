import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Behaviour, startModelServer } from '../../../../../test/support/model-server.ts'
import type { TranslationRequest } from '../../../../model/review-translation.ts'
import { systemClock } from '../../../../runtime/clock.ts'
import { openEgress } from '../../../../runtime/egress/open.ts'
import { silentLog } from '../../../../runtime/log.ts'
import { createModelBreaker } from '../model-breaker.ts'
import { createTranslateReview } from './translate-review.ts'

const REQUEST: TranslationRequest = {
  title: 'Absturz',
  body: 'Die App stürzt beim Öffnen ab. Mail an me@example.com',
  language: 'de',
}
const json = (title: unknown, text: unknown) => JSON.stringify({ title, text })

async function translated(behave: Behaviour, change: Partial<TranslationRequest> = {}) {
  await using server = await startModelServer(behave)
  await using egress = openEgress({ guard: null, userAgent: 'test' })
  const translate = createTranslateReview(
    {
      egress,
      url: server.url,
      model: 'test-model',
      apiKey: null,
      clock: systemClock,
      log: silentLog,
      breaker: createModelBreaker(),
      spend: async () => true,
    },
    { dailyLimit: null },
  )
  const translation = await translate({ ...REQUEST, ...change }, new AbortController().signal)
  return { translation, requests: server.requests }
}

test('a review is translated from its language, as data and without addresses', async () => {
  const { translation, requests } = await translated(() => json('Crash', 'It crashes\u202e when opened.'))
  assert.deepEqual(translation, { kind: 'translated', title: 'Crash', body: 'It crashes when opened.' })
  const [system, user] = requests[0]?.messages ?? []
  assert.match(system?.content ?? '', /from the language with the ISO 639-1 code "de" to English/)
  assert.doesNotMatch(system?.content ?? '', /Absturz/)
  assert.deepEqual(JSON.parse(user?.content ?? ''), {
    title: 'Absturz',
    text: 'Die App stürzt beim Öffnen ab. Mail an [email]',
  })
})

test('a review without a title has none in its translation', async () => {
  const { translation } = await translated(() => json('Made up', 'It crashes.'), { title: null })
  assert.deepEqual(translation, { kind: 'translated', title: null, body: 'It crashes.' })
})

test('an answer that is no translation is requested again with the reason, and then refused', async () => {
  for (const [bad, problem] of [
    ['not JSON', 'it was no JSON object with "title" and "text"'],
    [json('', ''), 'its text was empty'],
    [json('', 'x'.repeat(2_000)), 'it was much longer than the review'],
  ] as const) {
    const repaired = await translated((_request, _response, count) => (count === 1 ? bad : json('', 'Good.')))
    assert.equal(repaired.translation.kind, 'translated', problem)
    assert.match(repaired.requests[1]?.messages.at(-1)?.content ?? '', new RegExp(problem))
    const { translation } = await translated(() => bad)
    assert.deepEqual(translation, {
      kind: 'failed',
      problem: `The model’s translation was rejected: ${problem}.`,
    })
  }
})
