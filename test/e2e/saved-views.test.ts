import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { SavedViewLine } from '../../src/contract/console/views.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService()
const alice = await tenant(running, 'Alice')
after(() => running[Symbol.asyncDispose]())

describe('a saved view', () => {
  it('a saved view has one name in the account, an author, and an audit log', async () => {
    const view = { name: ' Bad ones ', filters: { stars: '1,2', status: 'new' } }
    const saved = (await alice.console('POST', '/views', view)).json<SavedViewLine>()
    assert.deepEqual([saved.name, saved.filters, saved.author], ['Bad ones', view.filters, 'Alice'])
    const again = await alice.console('POST', '/views', view)
    assert.equal(again.outcome, 'conflict')
    assert.match(again.error, /must be unique: the account has a view named “Bad ones”\.$/)
    assert.deepEqual((await alice.console('GET', '/views')).json(), [saved])
    assert.equal((await alice.console('DELETE', `/views/${saved.id}`)).outcome, 'done')
    assert.equal((await alice.console('DELETE', `/views/${saved.id}`)).outcome, 'not_found')
    const { data } = await alice.owner.fetchJson<AuditPage>('GET', '/v1/audit-log?limit=2')
    assert.deepEqual(
      data.map(({ action, target, detail }) => [action, target, detail]),
      [
        ['view.deleted', saved.id, 'Bad ones'],
        ['view.saved', saved.id, 'Bad ones'],
      ],
    )
  })

  it('a saved view is rejected without a name, and with filters that are no parameters', async () => {
    for (const body of [
      { name: '', filters: {} },
      { name: 'n'.repeat(61), filters: {} },
      { name: 'a\nb', filters: {} },
      { name: 'A' },
      { name: 'A', filters: { stars: 1 } },
      { name: 'A', filters: { 'no such': 'x' } },
      { name: 'A', filters: { text: 'x'.repeat(201) } },
      { name: 'A', filters: { text: '\0' } },
    ])
      assert.equal((await alice.console('POST', '/views', body)).outcome, 'invalid', JSON.stringify(body))
    assert.deepEqual((await alice.console('GET', '/views')).json(), [])
  })
})
