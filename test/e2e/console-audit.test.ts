import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { CreatedDestination } from '../../src/contract/console/destinations.ts'
import type { CreatedInvitation, MemberView, SessionListView } from '../../src/contract/console/people.ts'
import type { AuditLine, AuditPage } from '../../src/contract/v1/audit-log.ts'
import { createPasswordReset } from '../../src/operations/accounts/password-resets.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { withUsers } from '../../src/service/with-users.ts'
import { consoleClient, PASSWORD, type SignedIn, signInAgain } from '../support/console-client.ts'
import { tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const failures: string[] = []
const log = { ...silentLog, error: (event: string) => void failures.push(event) }
const running = await startTestService({}, { log })
after(() => running[Symbol.asyncDispose]())
const alice = await tenant(running, 'Alice')
const bob = await tenant(running, 'Bob')

async function entries(of: SignedIn = alice.owner, query = ''): Promise<readonly AuditLine[]> {
  return (await of.fetchJson<AuditPage>('GET', `/v1/audit-log?limit=200${query}`)).data
}

/** The entries of the owner's log since `seq`, oldest first, as `action detail`. */
async function since(seq: number): Promise<string[]> {
  const found = (await entries()).filter((entry) => Number(entry.id) > seq).reverse()
  return found.map(({ action, detail }) => (detail === null ? action : `${action} ${detail}`))
}

async function newest(): Promise<number> {
  return Number((await entries())[0]?.id ?? 0)
}

describe('the audit log', () => {
  it('the audit log has each change through the console with its user, and names deleted objects', async () => {
    const from = await newest()
    const { owner } = alice
    const watch = { store: 'apple', app_id: '1', event_type: 'review.created' }
    const made = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
      target_url: 'https://hooks.example.com/services/T000/secret-path',
      watch,
    })
    const at = `/v1/hooks/${made.id}`
    await owner.fetchJson('PATCH', at, { rate_per_second: 5 })
    await owner.fetchJson('PUT', `${at}/status`, { status: 'paused' })
    await owner.fetchJson('PUT', `${at}/status`, { status: 'active' })
    await owner.fetchJson('POST', `${at}/secret`, { overlap_hours: 2 })
    await owner.fetchJson('POST', `${at}/watches`, { ...watch, app_id: '2' })
    await owner.fetchJson('POST', '/watches/preview', watch)
    await owner.fetchJson('PUT', '/v1/tracked-apps/apple/3', { countries: ['us', 'de'] })
    await owner.fetchJson('DELETE', '/v1/tracked-apps/apple/3')
    await owner.fetchJson('DELETE', `/v1/hooks/${made.id}`)
    const token = await owner.fetchJson<{ id: string }>('POST', '/tokens', { name: 'reports' })
    await owner.fetchJson('DELETE', `/tokens/${token.id}`)
    assert.deepEqual(await since(from), [
      'hook.created hooks.example.com',
      'hook.changed 5 per second',
      'hook.paused',
      'hook.resumed',
      'secret.rotated the old one signs for 2 h',
      'watch.added review.created apple/2',
      'app.tracked us, de',
      'app.untracked',
      'hook.deleted hooks.example.com',
      'token.created reports: read, hooks, operate',
      'token.revoked reports',
    ])
    const recorded = (await entries()).filter(({ id }) => Number(id) > from)
    const users = new Set(recorded.map(({ actor }) => `${actor.kind} ${actor.name}`))
    assert.deepEqual([...users], ['user alice@example.com'])
    assert.deepEqual([...new Set(recorded.map(({ client_address }) => client_address))], ['127.0.0.1'])
    const ofHook = recorded.filter(({ target }) => target === made.id).map(({ action }) => action)
    assert.deepEqual(ofHook.length, 7, 'every entry of the destination has its name')
    assert.doesNotMatch(JSON.stringify(recorded), /secret-path|whsec_|rsk_/)
  })

  it('the audit log has the changes made with a token, but not its reads', async () => {
    const from = await newest()
    const body = {
      target_url: 'https://example.org/in',
      store: 'google',
      app_id: 'com.example',
      event_type: 'review.created',
    }
    const { id } = (await alice.api('POST', '/hooks', body)).json<{ id: string }>()
    await alice.api('GET', `/hooks/${id}`)
    await alice.api('PUT', '/tracked-apps/google/com.example', { countries: ['us'] })
    assert.equal((await alice.api('DELETE', `/hooks/${id}`)).outcome, 'done')
    assert.deepEqual(await since(from), [
      'hook.created example.org',
      'app.tracked us',
      'hook.deleted example.org',
    ])
    const [last] = await entries()
    assert.equal(last?.target, id)
    assert.deepEqual([last?.actor.kind, last?.actor.name], ['token', 'Alice'])
  })

  it('the audit log has the changes of a destination with messages, without its settings', async () => {
    const from = await newest()
    const { owner } = alice
    const webhook = (token: string) => ({ webhook_url: `https://hooks.slack.com/services/T1/B1/${token}` })
    const made = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
      target_type: 'slack',
      target_settings: webhook('secretOne'),
    })
    const schedule = { time_zone: 'UTC', every_minutes: 5 }
    await owner.fetchJson('PATCH', `/v1/hooks/${made.id}`, { message_schedule: schedule })
    await owner.fetchJson('DELETE', `/v1/hooks/${made.id}`)
    const created = await alice.api('POST', '/hooks', {
      target_type: 'slack',
      target_settings: webhook('secretTwo'),
      store: 'apple',
      app_id: '1',
      event_type: 'review.created',
    })
    const at = `/hooks/${created.json<{ id: string }>().id}`
    await alice.api('PATCH', at, { message_schedule: { every_minutes: 5 } })
    await alice.api('PATCH', at, { message_schedule: null, target_settings: webhook('secretThree') })
    await alice.api('PATCH', at, { target_type: 'webhook', target_url: 'https://example.org/secretFour' })
    assert.deepEqual(await since(from), [
      'hook.created slack',
      'hook.changed schedule',
      'hook.deleted slack',
      'hook.created slack',
      'hook.changed schedule',
      'hook.changed target settings, no schedule',
      'hook.changed target example.org',
    ])
    assert.doesNotMatch(JSON.stringify(await entries()), /secret(?:One|Two|Three|Four)/)
  })

  it('the audit log has an entry for a bulk action only if it changed something', async () => {
    const { owner } = alice
    const { id } = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
      target_url: 'https://hooks.example.com/bulk',
      watch: { store: 'apple', app_id: '1', event_type: 'review.created' },
    })
    const from = await newest()
    const paused = { hook_ids: [id, 'api-unknown'], status: 'paused' }
    await owner.fetchJson('PUT', '/v1/hook-statuses', paused)
    await owner.fetchJson('PUT', '/v1/hook-statuses', paused)
    await owner.fetchJson('POST', '/v1/retries/hooks', { hook_ids: [id] })
    assert.deepEqual(await since(from), ['hook.paused 1 destination'])
  })

  it('the audit log has no entry for a request that failed', async () => {
    const from = await newest()
    assert.equal((await alice.console('DELETE', '/v1/hooks/nothing')).outcome, 'not_found')
    assert.equal((await alice.console('POST', '/tokens', { name: '' })).outcome, 'invalid')
    assert.equal((await alice.api('DELETE', '/hooks/nothing')).outcome, 'not_found')
    assert.deepEqual(await since(from), [])
  })

  it('the audit log has the invitation, role change and removal of members', async () => {
    const from = await newest()
    const { owner } = alice
    const invite = async (email: string) =>
      owner.fetchJson<CreatedInvitation>('POST', '/invitations', { email, role: 'member' })
    await owner.fetchJson('DELETE', `/invitations/${(await invite('x@example.com')).id}`)
    const token = new URL((await invite('carol@example.com')).url).pathname.split('/').at(-1)
    await consoleClient(running.url).fetchJson('POST', '/invitations/accept', {
      token,
      name: 'Carol',
      password: PASSWORD,
    })
    const members = await owner.fetchJson<MemberView[]>('GET', '/members')
    const carol = members.find(({ email }) => email === 'carol@example.com')
    await owner.fetchJson('PATCH', `/members/${carol?.id}`, { role: 'owner' })
    await owner.fetchJson('DELETE', `/members/${carol?.id}`)
    assert.deepEqual(await since(from), [
      'invitation.created x@example.com as member',
      'invitation.withdrawn x@example.com',
      'invitation.created carol@example.com as member',
      'invitation.accepted carol@example.com',
      'member.role_changed carol@example.com is now owner',
      'member.removed carol@example.com',
    ])
    const [accepted] = await entries(owner, '&action=invitation.accepted')
    assert.deepEqual(accepted?.actor, { kind: 'user', id: carol?.id, name: 'carol@example.com' })
  })

  it('the audit log has sign-ins, ended sessions and changed passwords', async () => {
    const from = await newest()
    const { owner } = alice
    const elsewhere = consoleClient(running.url)
    await signInAgain(elsewhere, 'ALICE@example.com')
    await elsewhere.fetchJson('POST', '/auth/sign-out', {})
    await signInAgain(elsewhere, owner.email)
    const sessions = await owner.fetchJson<SessionListView[]>('GET', '/sessions')
    await owner.fetchJson('DELETE', `/sessions/${sessions.find(({ current }) => !current)?.id}`)
    await owner.fetchJson('POST', '/auth/revoke-other-sessions', {})
    await owner.fetchJson('POST', '/auth/change-password', {
      currentPassword: PASSWORD,
      newPassword: `${PASSWORD}!`,
    })
    const { token } = await withUsers(running.environment, ({ users }) =>
      createPasswordReset({ users, clock: systemClock }, owner.email, { keepsPasskeys: false }),
    )
    await elsewhere.fetchJson('POST', '/auth/reset-password', { token, newPassword: PASSWORD })
    await signInAgain(owner, owner.email)
    assert.deepEqual(await since(from), [
      'sign_in.succeeded',
      'sign_in.signed_out',
      'sign_in.succeeded',
      'session.ended',
      'session.ended all others',
      'password.changed',
      'password.reset',
      'sign_in.succeeded',
    ])
    const recorded = (await entries()).filter(({ id }) => Number(id) > from)
    assert.deepEqual([...new Set(recorded.map(({ actor }) => actor.name))], ['alice@example.com'])
  })

  it('the audit log has an entry for a wrong password of a user, and none for an unknown address', async () => {
    const from = await newest()
    for (const email of ['nobody@example.com', 'Alice@example.com']) {
      const answer = await consoleClient(running.url).request('POST', '/auth/sign-in/email', {
        email,
        password: 'wrong password',
      })
      assert.equal(answer.status, 401)
    }
    await until('the failure is recorded', async () => (await since(from)).length > 0)
    const [failed, ...others] = (await entries()).filter(({ id }) => Number(id) > from)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [failed?.action, failed?.actor.kind, failed?.detail, failed?.client_address],
      ['sign_in.failed', 'none', 'alice@example.com', '127.0.0.1'],
    )
  })

  it('the audit log includes changes made by commands', async () => {
    const from = await newest()
    const { owner } = alice
    const { id } = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
      target_url: 'https://example.com/',
    })
    assert.equal((await alice.command('token', 'create', '--account', alice.accountId)).outcome, 'done')
    const [made] = await entries(owner, '&action=token.created')
    assert.equal((await alice.command('token', 'revoke', made?.target ?? '')).outcome, 'done')
    assert.equal((await alice.command('hooks', 'retry', id)).outcome, 'done')
    assert.equal((await alice.command('user', 'reset-password', '--email', owner.email)).outcome, 'done')
    assert.deepEqual(await since(from), [
      'hook.created example.com',
      'token.created from the command line: read, hooks, operate',
      'token.revoked from the command line',
      'hook.retried 0 deliveries',
      'password.reset_link_created alice@example.com',
    ])
    const byCommand = await entries(owner, '&actor=command')
    assert.deepEqual(
      byCommand.map(({ actor, client_address }) => [actor.name, client_address]),
      [
        ['radar user reset-password', null],
        ['radar hooks retry', null],
        ['radar token revoke', null],
        ['radar token create', null],
      ],
    )
  })

  it('the audit log is filtered by action, actor and time, and has pages', async () => {
    const { owner } = alice
    const all = await entries()
    const rotated = await entries(owner, '&action=secret.rotated')
    assert.deepEqual(
      rotated.map(({ action }) => action),
      ['secret.rotated'],
    )
    const at = encodeURIComponent(rotated[0]?.at ?? '')
    const [before, later] = [await entries(owner, `&until=${at}`), await entries(owner, `&since=${at}`)]
    assert.equal(before.length + later.length, all.length)
    assert.ok(later.some(({ action }) => action === 'secret.rotated') && before.length > 0)
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: AuditPage = await owner.fetchJson(
        'GET',
        `/v1/audit-log?limit=7${cursor && `&cursor=${cursor}`}`,
      )
      assert.ok(page.data.length <= 7)
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    assert.deepEqual(
      ids,
      all.map(({ id }) => id),
    )
    for (const query of ['action=nonsense', 'since=yesterday', 'cursor=x', 'limit=0']) {
      assert.equal((await owner.request('GET', `/v1/audit-log?${query}`)).status, 400, query)
    }
  })

  it('the audit log is exported as CSV and as JSON Lines, as filtered', async () => {
    const { owner } = alice
    const lines = (await owner.request('GET', '/v1/exports/audit-log?format=jsonl')).text
      .trimEnd()
      .split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      await entries(),
    )
    const csv = await owner.request('GET', '/v1/exports/audit-log?format=csv&action=token.revoked')
    assert.match(csv.headers.get('content-disposition') ?? '', /filename="audit-log\.csv"/)
    const [head, first, second, ...rest] = csv.text.split('\r\n')
    assert.equal(head, 'at,actor_kind,actor_id,actor_name,client_address,action,target,detail')
    assert.match(
      first ?? '',
      /,command,command,radar token revoke,,token\.revoked,tok_\w+,from the command line$/,
    )
    assert.match(second ?? '', /,user,\w+,alice@example\.com,127\.0\.0\.1,token\.revoked,tok_\w+,reports$/)
    assert.deepEqual(rest, [''])
  })

  it('the audit log does not show entries of another account', async () => {
    const text = JSON.stringify(await entries(bob.owner))
    assert.match(text, /bob@example\.com/)
    assert.doesNotMatch(text, /alice/i)
    const ofAlice = (await entries()).find(({ actor }) => actor.kind === 'user')?.actor.id
    assert.deepEqual(await entries(bob.owner, `&actor=${ofAlice}`), [])
  })

  it('the audit log does not fail the request when it cannot be written', async () => {
    const { audit } = running.service.storage
    const append = audit.append
    Object.assign(audit, { append: () => Promise.reject(new Error('the disk is full')) })
    const answer = await alice.console('POST', '/tokens', { name: 'unrecorded' })
    Object.assign(audit, { append })
    assert.equal(answer.outcome, 'done')
    assert.deepEqual(failures, ['audit.failed'])
  })
})
