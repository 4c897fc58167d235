import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { MemberView, NewSecondFactorView } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { OBJECT_SETTINGS } from '../support/account-objects.ts'
import { API_ROUTES, apiCalls } from '../support/api-calls.ts'
import { consoleClient, PASSWORD } from '../support/console-client.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { joined } from '../support/join.ts'
import { startTestService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'

const running = await startTestService(OBJECT_SETTINGS)
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '403000001')
const calls = await apiCalls(running, alice, data)
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

/** The routes that answer to a session, with a path and a body that have ids of Alice. */
const ROUTES = API_ROUTES.filter(([, { session }]) => session !== 'none').map(([operation, route]) => ({
  operation,
  route,
  path: `/v1${calls.callOf(operation, route)}`,
  body: calls.bodies[operation],
}))
const READS = ROUTES.filter(({ route }) => route.method === 'GET')
const CHANGES = ROUTES.filter(({ route }) => route.method !== 'GET')
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error

describe('a session of the console at the REST API', () => {
  for (const { operation, route, path, body } of ROUTES) {
    it(`the session is needed for ${operation} if the request has no token`, async () => {
      for (const cookie of ['', 'radar.session_token=forged', 'other=1']) {
        const headers: Record<string, string> = cookie === '' ? {} : { cookie }
        const answer = await consoleClient(running.url).request(route.method, path, body, headers)
        assert.equal(answer.status, 401, answer.text)
        assert.equal(errorOf(answer), 'You are not signed in.')
      }
    })
  }

  for (const { operation, route, path } of READS) {
    it(`the session reads with ${operation} what a token of the account reads, and browsers do not store it`, async () => {
      const answer = await alice.owner.request('GET', path)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const rows = route.success.rows ? answer.text.trimEnd().split('\n') : [answer.text]
      for (const row of rows) {
        if (row !== '') assert.deepEqual(route.success.schema?.parse(JSON.parse(row)), JSON.parse(row))
      }
    })
  }

  for (const { operation, route, path, body } of CHANGES) {
    it(`the session rejects ${operation} from another site`, async () => {
      const foreign: Record<string, string>[] = [
        { 'x-radar-console': '0' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]
      for (const headers of foreign) {
        const answer = await alice.owner.request(route.method, path, body, headers)
        assert.equal(answer.status, 403, `${JSON.stringify(headers)}: ${answer.text}`)
      }
    })
  }

  it('the session accepts changes only as JSON, or as rows where the route takes rows', async () => {
    for (const { operation, route, path } of CHANGES) {
      if (route.body === undefined && route.rows === undefined) continue
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        const answer = await alice.owner.request(route.method, path, '{}', { 'content-type': type })
        assert.equal(answer.status, 415, `${operation}, ${type}: ${answer.text}`)
      }
    }
  })

  it('the session of a member is rejected by exactly the routes of owners', async () => {
    const guest = await joined(running, alice.owner, 'Member')
    for (const { operation, route } of ROUTES) {
      // The ids do not exist, so allowed calls change nothing.
      const path = `/v1${route.path.replace(/\{\w+\}/g, 'x')}`
      const answer = await guest.request(route.method, path)
      const rejected = route.session === 'owner'
      assert.equal(answer.status === 403, rejected, `${operation}: ${answer.status} ${answer.text}`)
      if (rejected) assert.equal(errorOf(answer), 'Only an owner of the account may do this.')
    }
  })

  it('the session is rejected by routes about the token', async () => {
    const about = API_ROUTES.filter(([, { session }]) => session === 'none')
    assert.deepEqual(
      about.map(([operation]) => operation),
      ['me'],
    )
    for (const [, { method, path }] of about) {
      const answer = await alice.owner.request(method, `/v1${path}`)
      assert.deepEqual([answer.status, errorOf(answer)], [403, 'This request requires an API token.'])
    }
  })

  it('the session ends at once when the member is removed', async () => {
    const guest = await joined(running, alice.owner, 'Removed')
    assert.equal((await guest.request('GET', '/v1/hooks')).status, 200)
    const members = await alice.owner.fetchJson<MemberView[]>('GET', '/members')
    const { id } = members.find(({ email }) => email === 'removed@example.com') ?? assert.fail()
    await alice.owner.fetchJson('DELETE', `/members/${id}`)
    for (const { operation, route, path, body } of ROUTES) {
      assert.equal((await guest.request(route.method, path, body)).status, 401, operation)
    }
  })

  it('the session is not used by a request with a token, and beside the credential of a proxy', async () => {
    const status = async (headers: Record<string, string>) =>
      (await alice.owner.request('GET', '/v1/hooks', undefined, headers)).status
    assert.equal(await status({ authorization: 'Bearer rsk_wrong' }), 401)
    assert.equal(await status({ 'x-api-key': 'rsk_wrong' }), 401)
    assert.equal(await status({ authorization: 'Basic dXNlcjpwYXNz' }), 200)
    assert.equal(await status({ authorization: 'Bearer of-a-proxy' }), 200)
  })

  it('the session names the user in the audit log', async () => {
    await alice.owner.fetchJson('POST', '/v1/reply-templates', { name: 'By Alice', text: 'Thanks' })
    const { data: entries } = await alice.owner.fetchJson<AuditPage>('GET', '/v1/audit-log')
    const { action, actor } = entries[0] ?? assert.fail()
    assert.deepEqual([action, actor.kind, actor.name], ['reply_template.created', 'user', alice.owner.email])
  })

  it('the session names the invalid field, which the answer to a token does not', async () => {
    const body = { name: 1, text: 'Thanks' }
    const bySession = await alice.owner.request('POST', '/v1/reply-templates', body)
    const byToken = await alice.api('POST', '/reply-templates', body)
    const { fields, error } = bySession.json<{ fields: object; error: string }>()
    assert.deepEqual(fields, { name: 'must be text of at most 100 characters.' })
    assert.deepEqual(byToken.json(), { error })
  })

  it('the session needs the second factor that the account requires', async () => {
    const guest = await joined(running, alice.owner, 'Single')
    const password = { password: PASSWORD }
    const { uri } = await alice.owner.fetchJson<NewSecondFactorView>(
      'POST',
      '/auth/two-factor/enable',
      password,
    )
    await alice.owner.fetchJson('POST', '/auth/two-factor/verify-totp', { code: totpCode(uri) })
    await alice.owner.fetchJson('PUT', '/second-factor/requirement', { required: true })
    for (const { operation, route, path, body } of ROUTES) {
      const answer = await guest.request(route.method, path, body)
      assert.equal(answer.status, 403, operation)
      assert.match(errorOf(answer), /requires a second factor/)
    }
    await alice.owner.fetchJson('PUT', '/second-factor/requirement', { required: false })
    assert.equal((await guest.request('GET', '/v1/hooks')).status, 200)
  })
})
