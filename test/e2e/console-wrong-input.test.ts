import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CreatedDestination } from '../../src/contract/console/destinations.ts'
import { signedIn } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())
const alice = await signedIn(running, 'Alice')

const WATCH = { store: 'apple', app_id: '841', event_type: 'review.created' } as const
const SECRET = 'secretSecretSecret'
const SLACK = {
  target_type: 'slack',
  target_settings: { webhook_url: `https://hooks.slack.com/services/T024/B045/${SECRET}` },
} as const

type Failure = { readonly error: string; readonly fields?: Readonly<Record<string, string>> }

/** Asserts a 400 that the form shows at `field`, in words of the service. */
async function assertWrong(field: string, method: string, path: string, body: unknown) {
  const answer = await alice.request(method, path, body)
  const { error, fields } = answer.json<Failure>()
  assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`)
  assert.ok(fields?.[field] !== undefined, `${JSON.stringify(body)}: ${answer.text}`)
  assert.doesNotMatch(error, /Invalid (?:input|option)|secretSecret/)
}

const NO_LISTS = ['', 'x', 0, true, {}, [null], [1]]
const NO_TEXTS = [[''], [' '], ['\0'], ['\ud800'], ['x'.repeat(101)], Array.from({ length: 21 }, String)]

test('a wrong filter of reviews names its field', async () => {
  const wrong = async (field: string, value: unknown) =>
    assertWrong(field, 'POST', '/watches/preview', { ...WATCH, [field]: value })
  for (const field of ['keywords', 'excluded_keywords', 'app_versions', 'competitors', 'languages'])
    for (const value of [...NO_LISTS, ...NO_TEXTS]) await wrong(field, value)
  for (const field of ['sentiments', 'themes', 'severities'])
    for (const value of [...NO_LISTS, ['unknown']]) await wrong(field, value)
  for (const field of ['is_bug_report', 'is_feature_request', 'mentions_competitor'])
    for (const value of ['true', 1, []]) await wrong(field, value)
})

test('limits count characters, also those of two UTF-16 units', async () => {
  const keywords = ['😀'.repeat(100)]
  const answer = await alice.request('POST', '/watches/preview', { ...WATCH, keywords })
  assert.equal(answer.status, 200, answer.text)
})

test('a wrong schedule names its part', async () => {
  const { id } = await alice.fetchJson<CreatedDestination>('POST', '/destinations', SLACK)
  const wrong = async (field: string, schedule: unknown) =>
    assertWrong(field, 'PATCH', `/v1/hooks/${id}`, { message_schedule: schedule })
  for (const value of ['', 1, true, [], {}]) await wrong('message_schedule', value)
  for (const value of [0, 1.5, 1441, '5', true])
    await wrong('message_schedule.every_minutes', { every_minutes: value })
  for (const value of ['', '9:00', '24:00', 9]) {
    await wrong('message_schedule.daily_at', { daily_at: value })
    await wrong('message_schedule.quiet_from', { quiet_from: value, quiet_until: '07:00' })
  }
  for (const value of [0, 8, 1.5, '1'])
    await wrong('message_schedule.weekday', { daily_at: '09:00', weekday: value })
  for (const value of ['', 'Mars/Base', '\0', 1])
    await wrong('message_schedule.time_zone', { daily_at: '09:00', time_zone: value })
})

test('a wrong message preview names its field', async () => {
  const wrong = async (field: string, body: object) =>
    assertWrong(field, 'POST', '/destinations/preview', { event_type: 'review.created', ...body })
  await wrong('target_type', {})
  await wrong('target_type', { target_type: 'webhook' })
  await wrong('target_type', { target_type: 'irc' })
  await wrong('event_type', { target_type: 'slack', event_type: 'review.deleted' })
  for (const settings of ['x', [], 1])
    await wrong('target_settings', { target_type: 'http', target_settings: settings })
  const http = (settings: object) => ({
    target_type: 'http',
    target_settings: { url: 'https://example.com/', ...settings },
  })
  await wrong('target_settings.url', http({ url: 'https://{{app_name}}/' }))
  await wrong('target_settings.body', http({ body: '{{'.repeat(8000) }))
  await wrong('target_settings.headers', http({ headers: { host: 'example.com' } }))
  await wrong('target_settings.headers', http({ headers: `authorization: ${SECRET}` }))
})
