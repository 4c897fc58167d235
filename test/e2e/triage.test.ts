import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { MemberView } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import type { ReviewDetail, ReviewPage } from '../../src/contract/v1/reviews.ts'
import type { BulkTriageResult } from '../../src/contract/v1/triage.ts'
import type { NoteRow, TriageDetail } from '../../src/contract/v1/triage-view.ts'
import { NO_REVIEW } from '../../src/model/review.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { joined } from '../support/join.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000' })
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '402000019')
const mia = await joined(running, alice.owner, 'Mia')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const members = await alice.owner.fetchJson<MemberView[]>('GET', '/members')
const idOf = (name: string) => members.find((member) => member.name === name)?.id ?? assert.fail(name)
const path = `/reviews/${data.fingerprint}`
const triage = (body: object) => alice.api('PATCH', `${path}/triage`, body)
const shown = async () => (await alice.api('GET', path)).json<ReviewDetail>()
const found = async (query: string) =>
  (await alice.owner.fetchJson<ReviewPage>('GET', `/v1/reviews?${query}`)).data.length
const all = await found('')
const RESET = { status: 'new', assignee: null, tags: [] }

describe('triage', () => {
  it('triage of a review shows the status, the name of the assignee and sorted tags', async () => {
    const change = { status: 'seen', assignee: idOf('Mia'), tags: [' VIP ', '#billing'] }
    const answer = (await triage(change)).json<TriageDetail>()
    const expected = {
      status: 'seen',
      assignee: { id: idOf('Mia'), name: 'Mia' },
      tags: ['billing', 'vip'],
      note_count: 0,
    }
    assert.deepEqual(answer, { ...expected, notes: [] })
    assert.deepEqual((await shown()).triage, answer)
    const page = (await alice.api('GET', '/reviews')).json<ReviewPage>()
    const row = page.data.find(({ fingerprint }) => fingerprint === data.fingerprint)
    assert.deepEqual(row?.triage, expected)
    const removed = (await triage({ add_tags: ['new'], remove_tags: ['VIP'] })).json<TriageDetail>()
    assert.deepEqual([removed.tags, removed.status], [['billing', 'new'], 'seen'])
    await triage(RESET)
  })

  it('triage is rejected with a sentence that names the field and what is allowed', async () => {
    const cases: readonly (readonly [body: object, error: RegExp])[] = [
      [{ status: 'open' }, /^status must be "new", "seen" or "done", not "open"\.$/],
      [{ assignee: 'me' }, /^assignee "me" requires a signed-in user; a token is no member\. Use an id\.$/],
      [{ assignee: 1 }, /^assignee must be the id of a member, "me", or null for nobody, not 1\.$/],
      [
        { tags: ['a,b'] },
        /^tags must be text of 1 to 40 characters, without commas, quotes and backslashes\.$/,
      ],
      [{ add_tags: [''] }, /must be text of 1 to 40 characters/],
      [{ tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, /^tags must be a list of at most 10 tags/],
    ]
    for (const [body, error] of cases) {
      const answer = await triage(body)
      assert.equal(answer.outcome, 'invalid', JSON.stringify(body))
      assert.match(answer.error, error)
    }
    const stranger = await triage({ assignee: 'nobody' })
    assert.deepEqual(
      [stranger.outcome, stranger.error],
      ['not_found', 'assignee must be a member of the account.'],
    )
    await triage({ tags: Array.from({ length: 10 }, (_, n) => `t${n}`) })
    assert.match((await triage({ add_tags: ['one more'] })).error, /^tags must be at most 10 for a review\.$/)
    await triage(RESET)
    assert.equal((await alice.api('PATCH', `/reviews/${'0'.repeat(64)}/triage`, {})).outcome, 'not_found')
  })

  it('triage filters reviews by status, assignee and tag, also for "me" and "nobody"', async () => {
    await triage({ status: 'done', assignee: idOf('Alice'), tags: ['vip'] })
    assert.equal(await found('status=done'), 1)
    assert.equal(await found('status=new'), all - 1)
    assert.equal(await found('assignee=me'), 1)
    assert.equal(await found(`assignee=${idOf('Alice')}`), 1)
    assert.equal(await found(`assignee=${idOf('Mia')}`), 0)
    assert.equal(await found('assignee=nobody'), all - 1)
    assert.equal(await found('tag=%23VIP&status=done'), 1)
    const ofMia = await mia.fetchJson<ReviewPage>('GET', '/v1/reviews?assignee=me')
    assert.deepEqual(ofMia.data, [])
    assert.match((await alice.api('GET', '/reviews?assignee=me')).error, /a token is no member/)
    assert.match((await alice.api('GET', '/reviews?tag=a,b')).error, /^tag must be text of 1 to 40/)
    assert.match(
      (await alice.api('GET', '/reviews?status=x')).error,
      /^status must be "new", "seen" or "done"/,
    )
    const { count } = (await alice.api('GET', '/reviews/count?tag=vip')).json<{ count: number }>()
    assert.equal(count, 1)
    await triage(RESET)
  })

  it('triage of several reviews is undone by its answer, which keeps what others changed since', async () => {
    const { data: rows } = (await alice.api('GET', '/reviews')).json<ReviewPage>()
    await triage({ status: 'seen', tags: ['old'] })
    const reviews = rows.map(({ fingerprint }) => ({ fingerprint, status: 'done', add_tags: ['x'] }))
    const unknown = { fingerprint: '0'.repeat(64), status: 'done' }
    const bulk = (body: object) => alice.api('PATCH', '/triage', body)
    const done = (await bulk({ reviews: [...reviews, unknown] })).json<BulkTriageResult>()
    assert.equal(done.changed, rows.length)
    assert.deepEqual(done.failed, [{ id: unknown.fingerprint, reason: NO_REVIEW }])
    await triage({ assignee: idOf('Mia'), add_tags: ['later'] })
    assert.equal(await found('status=done&tag=x'), rows.length)
    const undone = (await bulk({ reviews: done.undo })).json<BulkTriageResult>()
    assert.equal(undone.changed, rows.length)
    assert.equal(await found('status=done'), 0)
    const { status, assignee, tags } = (await shown()).triage
    assert.deepEqual([status, assignee?.name, tags], ['seen', 'Mia', ['later', 'old']])
    assert.equal((await bulk({ reviews: done.undo })).json<BulkTriageResult>().changed, 0)
    await triage(RESET)
    assert.match((await bulk({ reviews: [] })).error, /^reviews must be a list of 1 to 100 objects/)
  })

  it('triage of a hundred reviews with the longest tags fits in a body, and in the one that undoes it', async () => {
    const tags = Array.from({ length: 10 }, (_, n) => `${'𝄞'.repeat(39)}${n}`)
    const reviews = Array.from({ length: 100 }, (_, n) => ({
      fingerprint: String(n).padStart(64, '0'),
      status: 'done',
      add_tags: tags,
    }))
    const answer = await alice.api('PATCH', '/triage', { reviews })
    assert.equal(answer.outcome, 'done', answer.error)
    const tooMuch = [{ ...reviews[0], assignee: 'x'.repeat(600_000) }]
    assert.match((await alice.api('PATCH', '/triage', { reviews: tooMuch })).error, /at most 524288 bytes/)
  })

  it('a note has its author and time, and is deleted by the author or an owner', async () => {
    const note = await mia.fetchJson<NoteRow>('POST', `/v1${path}/notes`, { text: ' Ask Bob \n' })
    assert.deepEqual([note.text, note.author, note.author_id], ['Ask Bob', 'Mia', idOf('Mia')])
    const own = await alice.owner.fetchJson<NoteRow>('POST', `/v1${path}/notes`, { text: 'Mine' })
    const program = (await alice.api('POST', `${path}/notes`, { text: 'By a program' })).json<NoteRow>()
    assert.deepEqual([program.author, program.author_id], ['Alice', null])
    const { triage: after } = await shown()
    assert.deepEqual([after.note_count, after.notes], [3, [note, own, program]])
    const remove = (who: typeof mia, id: string) => who.request('DELETE', `/v1${path}/notes/${id}`)
    const refused = await remove(mia, own.id)
    assert.equal(refused.status, 403)
    assert.match(refused.text, /Only its author or an owner of the account may delete a note\./)
    assert.equal((await remove(mia, note.id)).status, 204)
    assert.equal((await remove(mia, note.id)).status, 404)
    assert.equal((await remove(alice.owner, own.id)).status, 204)
    assert.equal((await remove(alice.owner, program.id)).status, 204)
    for (const [text, error] of [
      [' ', /^text must have 1 to 1000 characters; it has 0\.$/],
      ['x'.repeat(1_001), /it has 1001\.$/],
      ['a\0b', /must not have NUL/],
    ] as const)
      assert.match((await alice.api('POST', `${path}/notes`, { text })).error, error)
  })

  it('triage is in the audit log, without the texts of notes', async () => {
    await alice.owner.fetchJson('PATCH', `/v1${path}/triage`, {
      status: 'done',
      assignee: 'me',
      tags: ['vip'],
    })
    const { id } = await alice.owner.fetchJson<NoteRow>('POST', `/v1${path}/notes`, { text: 'Secret words' })
    await alice.owner.request('DELETE', `/v1${path}/notes/${id}`)
    const reviews = [{ fingerprint: data.fingerprint, ...RESET }]
    await alice.owner.fetchJson('PATCH', '/v1/triage', { reviews })
    const { data: entries } = await alice.owner.fetchJson<AuditPage>('GET', '/v1/audit-log?limit=4')
    assert.deepEqual(
      entries.map(({ action, target, detail }) => [action, target, detail]),
      [
        ['review.triaged', null, '1 review: status new, assigned to nobody, tags'],
        ['review.note_deleted', data.fingerprint, null],
        ['review.note_added', data.fingerprint, null],
        ['review.triaged', data.fingerprint, 'status done, assigned to Alice, tags vip'],
      ],
    )
  })

  it('triage is in no event and in no export', async () => {
    await triage({ status: 'done', assignee: idOf('Mia'), tags: ['hush-hush'] })
    await alice.api('POST', `${path}/notes`, { text: 'hush-hush note' })
    for (const read of ['/exports/reviews', '/exports/reviews?format=csv&tag=hush-hush', '/events']) {
      const { text } = await alice.api('GET', read)
      assert.ok(text.includes(data.secretText), read)
      assert.doesNotMatch(text, /hush|triage|assignee/, read)
    }
    await triage(RESET)
  })

  it('a removed member is no assignee any more', async () => {
    await triage({ assignee: idOf('Mia') })
    assert.equal((await shown()).triage.assignee?.name, 'Mia')
    await alice.owner.request('DELETE', `/members/${idOf('Mia')}`)
    assert.equal((await shown()).triage.assignee, null)
    assert.equal((await triage({ assignee: idOf('Mia') })).outcome, 'not_found')
  })
})
