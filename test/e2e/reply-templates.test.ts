import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import type { FilledTemplateRow, ReplyTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000' })
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '402000009')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const create = (body: object) => alice.api('POST', '/reply-templates', body)

describe('an answer template', () => {
  it('an answer template is rejected with a sentence that names the field and what is allowed', async () => {
    const cases: readonly (readonly [body: object, error: RegExp])[] = [
      [{ text: 'Hi' }, /^name is required: it must be text of at most 100 characters\.$/],
      [{ name: 'Hi' }, /^text is required/],
      [{ name: ' ', text: 'Hi' }, /^name must have 1 to 100 characters; it has 0\.$/],
      [{ name: 'n'.repeat(101), text: 'Hi' }, /^name must have 1 to 100 characters; it has 101\.$/],
      [{ name: 'a\nb', text: 'Hi' }, /^name must be one line/],
      [{ name: 'Hi', text: ' \n ' }, /^text must have 1 to 5970 characters; it has 0\.$/],
      [{ name: 'Hi', text: 'x'.repeat(5_971) }, /^text must have 1 to 5970 characters; it has 5971\.$/],
      [{ name: 'Hi', text: 'a\0b' }, /^text must not have NUL/],
      [{ name: 'Hi', text: 'Hi', language: 'english' }, /^language must be an ISO 639-1 code/],
      [{ name: 'Hi', text: 'Hi', language: '' }, /^language must be an ISO 639-1 code/],
      [{ name: 'Hi\n', text: 'Hi' }, /^name must be one line/],
      [{ name: 'Hi', text: 'Hi', language: 1 }, /^language must be an ISO 639-1 code/],
      [
        { name: 'Hi', text: 'Hello {{first_name}}' },
        /^text has the unknown placeholder \{\{first_name\}\}; allowed are \{\{author\}\} and \{\{app_name\}\}\.$/,
      ],
    ]
    for (const [body, error] of cases) {
      const answer = await create(body)
      assert.equal(answer.outcome, 'invalid', JSON.stringify(body))
      assert.match(answer.error, error)
    }
    assert.deepEqual((await alice.api('GET', '/reply-templates')).json(), [])
  })

  it('an answer template has one name in the account, and an audit log', async () => {
    const made = (
      await create({ name: ' Thanks ', text: ' Thank you! ', language: 'en' })
    ).json<ReplyTemplateRow>()
    assert.deepEqual([made.name, made.text, made.language], ['Thanks', 'Thank you!', 'en'])
    const again = await create({ name: 'Thanks', text: 'x' })
    assert.deepEqual(
      [again.outcome, again.error],
      ['conflict', 'name must be unique: the account has another template named “Thanks”.'],
    )
    const change = { name: 'Merci', text: 'Merci !', language: 'fr' }
    assert.equal((await alice.api('PUT', `/reply-templates/${made.id}`, change)).outcome, 'done')
    const [listed] = (await alice.api('GET', '/reply-templates')).json<ReplyTemplateRow[]>()
    assert.deepEqual(listed && [listed.id, listed.name, listed.text], [made.id, 'Merci', 'Merci !'])
    assert.equal((await alice.api('DELETE', `/reply-templates/${made.id}`)).outcome, 'done')
    assert.equal((await alice.api('DELETE', `/reply-templates/${made.id}`)).outcome, 'not_found')
    assert.equal((await alice.api('PUT', `/reply-templates/${made.id}`, change)).outcome, 'not_found')
    const { data: entries } = await alice.owner.fetchJson<AuditPage>('GET', '/v1/audit-log?limit=20')
    const changes = entries.filter(({ action }) => action.startsWith('reply_template.'))
    assert.deepEqual(
      changes.map(({ action, target, detail }) => [action, target, detail]),
      [
        ['reply_template.deleted', made.id, 'Merci'],
        ['reply_template.changed', made.id, 'Merci'],
        ['reply_template.created', made.id, 'Thanks'],
      ],
    )
  })

  it('an answer template is filled with the values of a review and sends nothing', async () => {
    await create({ name: 'Other', text: 'Danke, {{author}}!', language: 'de' })
    await create({ name: 'Any', text: 'Thank you for using {{app_name}}.' })
    const review = (await alice.api('GET', `/reviews/${data.fingerprint}`)).json<{
      author: string
      app_name: string
    }>()
    const path = `/reviews/${data.fingerprint}/reply-templates`
    const filled = (await alice.api('GET', path)).json<FilledTemplateRow[]>()
    assert.deepEqual(
      filled.map((template) => [template.name, template.filled]),
      [
        ['Any', `Thank you for using ${review.app_name}.`],
        ['Other', `Danke, ${review.author}!`],
      ],
    )
    const reply = (await alice.api('GET', `/reviews/${data.fingerprint}/reply`)).json<{ state: string }>()
    assert.equal(reply.state, 'none')
    assert.equal((await alice.api('GET', `/reviews/${'0'.repeat(64)}/reply-templates`)).outcome, 'not_found')
  })

  it('an answer template stops at 200 in an account', async () => {
    const who = await tenant(running, 'Many')
    for (let nth = 1; nth <= 200; nth += 1) {
      await who.api('POST', '/reply-templates', { name: `Name ${nth}`, text: 'Hi' })
    }
    const answer = await who.api('POST', '/reply-templates', { name: 'One more', text: 'Hi' })
    assert.equal(answer.outcome, 'conflict')
    assert.equal(answer.error, 'The account has reached its limit of 200 answer templates. Delete one first.')
  })
})
