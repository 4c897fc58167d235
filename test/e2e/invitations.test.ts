import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { CreatedInvitation, SessionView, ShownInvitation } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { consoleClient, signedIn } from '../support/console-client.ts'
import { joined } from '../support/join.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService()
const ann = await signedIn(running, 'Ann')
after(() => running[Symbol.asyncDispose]())

const show = (token: string) => consoleClient(running.url).request('POST', '/invitations/shown', { token })

describe('an invitation', () => {
  it('an invitation says who invites to which account, also after the account has another name', async () => {
    const body = { email: 'ben@example.com', role: 'viewer' }
    const { id, url } = await ann.fetchJson<CreatedInvitation>('POST', '/invitations', body)
    const token = url.slice(url.lastIndexOf('/') + 1)
    const { account } = await ann.fetchJson<SessionView>('GET', '/session')
    const expected = { account: account?.name, inviter: 'Ann', email: body.email, role: 'viewer' }
    assert.deepEqual((await show(token)).json<ShownInvitation>(), expected)
    await ann.fetchJson('PATCH', '/account', { name: ' Acme Inc. ' })
    assert.equal((await show(token)).json<ShownInvitation>().account, 'Acme Inc.')
    await ann.request('DELETE', `/invitations/${id}`)
    for (const unknown of [token, 'x']) {
      const answer = await show(unknown)
      assert.equal(answer.status, 404)
      assert.match(answer.text, /This invitation is no longer valid/)
    }
  })
})

describe('the name of an account', () => {
  it('the name of an account is changed by owners only, with an audit entry', async () => {
    const { account } = await ann.fetchJson<SessionView>('GET', '/session')
    await ann.fetchJson('PATCH', '/account', { name: 'Acme' })
    assert.deepEqual((await ann.fetchJson<SessionView>('GET', '/session')).account, {
      id: account?.id,
      name: 'Acme',
    })
    const { data } = await ann.fetchJson<AuditPage>('GET', '/v1/audit-log?limit=1')
    assert.deepEqual(
      data.map(({ action, target, detail }) => [action, target, detail]),
      [['account.renamed', account?.id, 'Acme']],
    )
    const mia = await joined(running, ann, 'Mia')
    assert.equal((await mia.request('PATCH', '/account', { name: 'Mine' })).status, 403)
    for (const name of ['', ' ', 'x'.repeat(101)])
      assert.equal((await ann.request('PATCH', '/account', { name })).status, 400)
  })
})
