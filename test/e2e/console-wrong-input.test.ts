import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import { signedIn } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())
const alice = await signedIn(running, 'Alice')

const WATCH = { store: 'apple', appId: '841', eventType: 'review.created' } as const
const SECRET = 'secretSecretSecret'
const SLACK = {
  targetType: 'slack',
  targetSettings: { webhook_url: `https://hooks.slack.com/services/T024/B045/${SECRET}` },
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

const NO_LISTS = ['', 'x', 0, true, null, {}, [null], [1]]
const NO_TEXTS = [[''], [' '], ['\0'], ['\ud800'], ['x'.repeat(101)], Array.from({ length: 21 }, String)]

test('a wrong filter of reviews names its field', async () => {
  const wrong = async (field: string, value: unknown) =>
    assertWrong(field, 'POST', '/watches/preview', { ...WATCH, rules: { [field]: value } })
  for (const field of ['keywords', 'excludedKeywords', 'appVersions', 'competitors', 'languages'])
    for (const value of [...NO_LISTS, ...NO_TEXTS]) await wrong(field, value)
  for (const field of ['sentiments', 'themes', 'severities'])
    for (const value of [...NO_LISTS, ['unknown']]) await wrong(field, value)
  for (const field of ['isBugReport', 'isFeatureRequest', 'mentionsCompetitor'])
    for (const value of ['true', 1, null, []]) await wrong(field, value)
  for (const rules of ['x', 1, []])
    await assertWrong('rules', 'POST', '/watches/preview', { ...WATCH, rules })
})

test('limits count characters, also those of two UTF-16 units', async () => {
  const keywords = ['😀'.repeat(100)]
  const answer = await alice.request('POST', '/watches/preview', { ...WATCH, rules: { keywords } })
  assert.equal(answer.status, 200, answer.text)
})

test('a wrong schedule names its part', async () => {
  const { id } = await alice.fetchJson<DestinationLine>('POST', '/destinations', SLACK)
  const wrong = async (field: string, messageSchedule: unknown) =>
    assertWrong(field, 'PATCH', `/destinations/${id}`, { messageSchedule })
  for (const value of ['', 1, true, [], {}]) await wrong('messageSchedule', value)
  for (const value of [0, 1.5, 1441, '5', true])
    await wrong('messageSchedule.everyMinutes', { everyMinutes: value })
  for (const value of ['', '9:00', '24:00', 9]) {
    await wrong('messageSchedule.dailyAt', { dailyAt: value })
    await wrong('messageSchedule.quietFrom', { quietFrom: value, quietUntil: '07:00' })
  }
  for (const value of [0, 8, 1.5, '1'])
    await wrong('messageSchedule.weekday', { dailyAt: '09:00', weekday: value })
  for (const value of ['', 'Mars/Base', '\0', 1])
    await wrong('messageSchedule.timeZone', { dailyAt: '09:00', timeZone: value })
})

test('a wrong message preview names its field', async () => {
  const wrong = async (field: string, body: object) =>
    assertWrong(field, 'POST', '/destinations/preview', { eventType: 'review.created', ...body })
  await wrong('targetType', {})
  await wrong('targetType', { targetType: 'webhook' })
  await wrong('targetType', { targetType: 'irc' })
  await wrong('eventType', { targetType: 'slack', eventType: 'review.deleted' })
  for (const targetSettings of ['x', [], 1, null])
    await wrong('targetSettings', { targetType: 'http', targetSettings })
  const http = (settings: object) => ({
    targetType: 'http',
    targetSettings: { url: 'https://example.com/', ...settings },
  })
  await wrong('targetSettings.url', http({ url: 'https://{{app_name}}/' }))
  await wrong('targetSettings.body', http({ body: '{{'.repeat(8000) }))
  await wrong('targetSettings.headers', http({ headers: { host: 'example.com' } }))
  await wrong('targetSettings.headers', http({ headers: `authorization: ${SECRET}` }))
})
