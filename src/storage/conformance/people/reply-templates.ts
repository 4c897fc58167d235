import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReplyTemplate } from '../../../model/reply-template.ts'
import type { WithInstants } from '../../../runtime/instant.ts'
import { LimitReached } from '../../port/errors.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, NOON, SECOND } from '../samples.ts'

function templateOf(given: Partial<WithInstants<ReplyTemplate>> = {}): WithInstants<ReplyTemplate> {
  const times = { createdAt: NOON, updatedAt: NOON }
  return {
    id: 'tpl_1',
    accountId: 'alice',
    name: 'Thanks',
    text: 'Thank you!',
    language: 'en',
    ...times,
    ...given,
  }
}

export function replyTemplatesSuite({ open, openAgain }: Engine): void {
  describe('answer templates', () => {
    it('answer templates are listed for their account, by name', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { replyTemplates } = storage
      const danke = templateOf({ id: 'tpl_2', name: 'Danke', text: 'Danke, {{author}}! ❤️', language: null })
      assert.equal(await replyTemplates.create(templateOf(), 9), true)
      assert.equal(await replyTemplates.create(danke, 9), true)
      assert.deepEqual(await replyTemplates.list('alice'), [danke, templateOf()])
      assert.deepEqual(await replyTemplates.list('bob'), [])
    })

    it('answer templates have a unique name in their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { replyTemplates } = storage
      await replyTemplates.create(templateOf(), 9)
      assert.equal(await replyTemplates.create(templateOf({ id: 'tpl_2' }), 9), false)
      assert.equal(await replyTemplates.create(templateOf({ id: 'tpl_3', accountId: 'bob' }), 9), true)
      await replyTemplates.create(templateOf({ id: 'tpl_4', name: 'Sorry' }), 9)
      const change = { name: 'Thanks', text: 'Sorry!', language: null, updatedAt: after(SECOND) }
      assert.equal(await replyTemplates.replace('alice', 'tpl_4', change), 'taken')
      assert.deepEqual(await replyTemplates.list('alice'), [
        templateOf({ id: 'tpl_4', name: 'Sorry' }),
        templateOf(),
      ])
    })

    it('answer templates are replaced and removed only by their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { replyTemplates } = storage
      await replyTemplates.create(templateOf(), 9)
      const change = { name: 'Thanks', text: 'Merci !', language: 'fr', updatedAt: after(SECOND) }
      assert.equal(await replyTemplates.replace('bob', 'tpl_1', change), 'missing')
      assert.equal(await replyTemplates.remove('bob', 'tpl_1'), false)
      assert.equal(await replyTemplates.replace('alice', 'tpl_1', change), 'replaced')
      assert.deepEqual(await replyTemplates.list('alice'), [templateOf(change)])
      assert.equal(await replyTemplates.remove('alice', 'tpl_1'), true)
      assert.equal(await replyTemplates.replace('alice', 'tpl_1', change), 'missing')
      assert.equal(await replyTemplates.remove('alice', 'tpl_1'), false)
    })

    it('answer templates never exceed the limit and never share a name, also by concurrent calls', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const create = (nth: number, name: string, max: number) =>
        (nth % 2 === 0 ? storage : other).replyTemplates.create(templateOf({ id: `tpl_${nth}`, name }), max)
      const same = await Promise.all([1, 2, 3].map((nth) => create(nth, 'Same', 9)))
      assert.deepEqual(same.filter(Boolean), [true])
      const created = await Promise.allSettled([4, 5, 6, 7].map((nth) => create(nth, `Name ${nth}`, 3)))
      const refused = created.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      assert.equal(refused.length, 2)
      for (const reason of refused) assert.ok(reason instanceof LimitReached)
      assert.equal((await storage.replyTemplates.list('alice')).length, 3)
    })
  })
}
