import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { CreatedInvitation, NewSecondFactorView } from '../../src/contract/console/people.ts'
import { createLog } from '../../src/runtime/pino-log.ts'
import { OBJECT_SETTINGS } from '../support/account-objects.ts'
import { API_ROUTES, apiCalls } from '../support/api-calls.ts'
import { CONSOLE_ROUTES, consoleBodies } from '../support/console-calls.ts'
import { consoleClient, PASSWORD } from '../support/console-client.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { startMailServer } from '../support/mail-server.ts'
import { asksForDraft, labelAll, startModelServer } from '../support/model-server.ts'
import { publish } from '../support/publish.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'
import { until } from '../support/until.ts'

const SMTP_PASSWORD = 'smtp-Kennwort-1'
const MODEL_KEY = 'model-key-31337'
const HEADER_KEY = 'key-of-the-receiver'
const NEW_PASSWORD = 'battery staple of a horse'
const LONG_WORD = /[\w+/=-]{20,}/g

const mail = await startMailServer({ takesPassword: true })
/** A model server that refuses drafts, and shows the key that it got. */
const model = await startModelServer((request, response, count) => {
  if (!asksForDraft(request)) return labelAll(request, response, count)
  response.statusCode = 401
  response.end(JSON.stringify({ error: { message: `Incorrect key: ${request.authorization}` } }))
  return null
})
const lines: string[] = []
const log = createLog('debug', { write: (line: string) => void lines.push(line) })
const running = await startTestService(
  {
    ...OBJECT_SETTINGS,
    RADAR_PUBLIC_URL: 'http://localhost',
    // The local server has no TLS.
    RADAR_SMTP_URL: `${mail.url.replace('://', `://radar:${SMTP_PASSWORD}@`)}?insecure=1`,
    RADAR_ENRICHMENT: 'llm',
    RADAR_LLM_URL: model.url,
    RADAR_LLM_MODEL: 'test-model',
    RADAR_LLM_API_KEY: MODEL_KEY,
  },
  // Its tables are dropped to make requests fail.
  { log, engine: 'sqlite' },
)
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '405000001')
const calls = await apiCalls(running, alice, data)
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

/** Of the paths, bodies, answers and settings of the tour. */
const secrets = new Set<string>([PASSWORD, NEW_PASSWORD, SMTP_PASSWORD, MODEL_KEY, HEADER_KEY])
/** A URL has its secret in the last part, a key has the same in several lines. */
function keep(...texts: readonly string[]): void {
  for (const text of texts)
    for (const part of text.match(LONG_WORD) ?? [text]) if (isSecret(part)) secrets.add(part)
}
const isSecret = (part: string) => part.length >= 8 && !['unsubscribe', 'reset-password'].includes(part)

const send = (path: string, init: RequestInit = {}) =>
  running.request(path, init).catch(() => ({ status: 0, text: '' }))
const post = (path: string, body: unknown) => consoleClient(running.url).request('POST', path, body)

/** The ways in which a secret of an address reaches a log: its pages, wrong methods, encodings and doubled slashes. */
async function visit(path: string): Promise<void> {
  const secret = path.split('/').at(-1) ?? ''
  keep(secret)
  const encoded = path.replace(secret, `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`)
  for (const each of [path, `/${path}`, encoded, `${path}%E0%80`, `${path}/more`, `${path}?x=%00`])
    for (const method of ['GET', 'POST', 'PUT', 'HEAD']) await send(each, { method })
}

async function mailAndHeaders(): Promise<void> {
  const receiver = await startReceiver()
  after(() => receiver[Symbol.asyncDispose]())
  receiver.answerWith(500, {}, 'no')
  const rule = { store: 'apple', app_id: data.appId, event_type: 'review.created' }
  const http = {
    url: `${receiver.url}?key=${HEADER_KEY}`,
    headers: { authorization: `Bearer ${HEADER_KEY}` },
    body: '{}',
  }
  const targets = [
    { target_type: 'email', target_settings: { to: ['reader@example.com'] } },
    { target_type: 'http', target_settings: http },
    { target_url: `${receiver.url}?key=${HEADER_KEY}` },
  ]
  for (const target of targets)
    await alice.owner.fetchJson('POST', '/destinations', { ...target, watch: rule })
  publish(running, { store: 'apple', appId: data.appId, market: 'us' })
  const sent = (await mail.received(1)).find(({ to }) => to.includes('reader@example.com'))
  await until('the receivers got the event', () => receiver.requests.length >= 2)
  const [, path = ''] =
    /List-Unsubscribe: <http:\/\/localhost(\/unsubscribe\/[^>]+)>/.exec(
      (sent?.text ?? '').replaceAll(/\r\n[ \t]+/g, ' '),
    ) ?? []
  assert.notEqual(path, '')
  await visit(path)
}

async function people(): Promise<void> {
  const { email } = alice.owner
  const wrong = { email, password: 'no such horse' }
  keep(wrong.password)
  await post('/auth/sign-in/email', wrong)
  await post('/auth/sign-in/email', `{"email":"${email}","password":"${PASSWORD}"`)
  const { url } = await alice.owner.fetchJson<CreatedInvitation>('POST', '/invitations', {
    email: 'guest@example.com',
    role: 'member',
  })
  const token = new URL(url).pathname.split('/').at(-1) ?? ''
  await visit(new URL(url).pathname)
  await post('/invitations/accept', { token, name: 'Guest', password: NEW_PASSWORD })
  const { uri, backupCodes } = await alice.owner.fetchJson<NewSecondFactorView>(
    'POST',
    '/auth/two-factor/enable',
    {
      password: PASSWORD,
    },
  )
  secrets.add(new URL(uri).searchParams.get('secret') ?? '')
  for (const code of backupCodes) secrets.add(code)
  await alice.owner.fetchJson('POST', '/auth/two-factor/verify-totp', { code: totpCode(uri) })
  const { out } = await radarCommand(['user', 'reset-password', '--email', email], running.environment)
  const path = new URL(out.trim()).pathname
  await visit(path)
  await post('/auth/reset-password', { token: path.split('/').at(-1), newPassword: NEW_PASSWORD })
  keep(
    ...alice.owner
      .cookie()
      .split('; ')
      .map((pair) => pair.split('=')[1] ?? ''),
  )
}

/** Every route, with the ids of the account and its bodies, as the account and with a wrong token. */
async function everyRoute(): Promise<void> {
  const bodies = consoleBodies(data.appId)
  for (const [operation, route] of API_ROUTES) {
    if (route.method === 'DELETE') continue
    const path = calls.callOf(operation, route)
    const answer = await alice.api(route.method, path, calls.bodies[operation])
    for (const { 0: secret } of answer.text.matchAll(/(?<=")(whsec_|rsk_)[^"]+/g)) keep(secret)
    await send(`/api/v1${path}`, {
      method: route.method,
      headers: { authorization: `Bearer ${alice.token}x` },
    })
  }
  for (const route of CONSOLE_ROUTES) {
    if (route.path === '/stream' || route.method === 'DELETE') continue
    const answer = await alice.owner.request(
      route.method,
      calls.pathOf(route.path),
      bodies[`${route.method} ${route.path}`],
    )
    for (const { 0: secret } of answer.text.matchAll(/(?<=")(whsec_|rsk_)[^"]+/g)) keep(secret)
  }
}

/** Requests that end in an internal error, whose log line has the error of the database. */
async function failures(): Promise<void> {
  const atom = calls.secrets.find((secret) => secret.includes('/atom/')) ?? ''
  const db = new DatabaseSync(join(running.environment.RADAR_DATA_DIR ?? '', 'radar.db'))
  db.exec('pragma foreign_keys = off')
  const tables = db
    .prepare("select name from sqlite_master where type = 'table' and name glob 'auth_*'")
    .all()
  for (const { name } of [...tables, ...['atom_feeds', 'invitations', 'watches'].map((name) => ({ name }))])
    db.exec(`drop table "${name}"`)
  db.close()
  await visit(new URL(atom).pathname)
  await post('/auth/sign-in/email', { email: alice.owner.email, password: PASSWORD })
  await post('/auth/reset-password', { token: 'xxxxxxxxxxxxxxxxxxxxxxxxx', newPassword: NEW_PASSWORD })
  await post('/invitations/accept', { token: 'yyyyyyyyyyyyyyyyyyyyyyyy', name: 'X', password: NEW_PASSWORD })
  await alice.api('GET', '/hooks')
  await alice.owner.request('GET', '/members')
}

test('the log has none of the secrets that a service sees, at any level', async () => {
  keep(...calls.secrets)
  await mailAndHeaders()
  await everyRoute()
  await visit(new URL(calls.secrets.find((secret) => secret.includes('/atom/')) ?? '').pathname)
  await people()
  await failures()
  const text = lines.join('')
  for (const event of ['api.failed', 'api.answered', 'delivery.attempted', 'sign_in.library_message'])
    assert.ok(text.includes(`"event":"${event}"`), event)
  assert.ok(secrets.size > 20, String(secrets.size))
  const shown = [...secrets].filter((secret) => text.includes(secret))
  assert.deepEqual(
    shown.map((secret) => lines.find((line) => line.includes(secret))),
    [],
  )
})
