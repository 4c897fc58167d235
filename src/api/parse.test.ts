import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { parseBody } from './parse.ts'

test('a list or an object with too many items is refused before its items are checked', () => {
  let checks = 0
  const item = z.unknown().refine(() => {
    checks += 1
    return false
  })
  const schema = z.object({ ids: z.array(item), headers: z.record(z.string(), item), more: z.unknown() })
  const parse = (body: object) => () =>
    parseBody(schema, 'application/json', Buffer.from(JSON.stringify(body)))
  const many = Array.from({ length: 1_001 }, () => 1)
  assert.throws(parse({ ids: many }), { message: 'ids has 1001 items: at most 1000 are allowed.' })
  assert.throws(parse({ headers: { ...many } }), {
    message: 'headers has 1001 items: at most 1000 are allowed.',
  })
  assert.throws(parse({ ids: [], more: [{ a: [{ b: many }] }] }), { message: /^more\.a\.b has 1001 items/ })
  assert.throws(parse(many), { message: /^The body has 1001 items/ })
  assert.equal(checks, 0)
})

test('a problem of an object in a list names its place', () => {
  const app = z.object({
    store: z.string('store must be text.'),
    tags: z.array(z.string('tags must be texts.')),
  })
  const schema = z.object({ apps: z.array(app), ids: z.array(z.string('ids must be texts.')) })
  const body = {
    apps: [
      { store: 'a', tags: [] },
      { store: 1, tags: [1] },
    ],
    ids: [1],
  }
  const parse = () => parseBody(schema, 'application/json', Buffer.from(JSON.stringify(body)))
  assert.throws(parse, {
    message: 'apps.1.store must be text. apps.1.tags must be texts. ids must be texts.',
    fields: { 'apps.1.store': 'must be text.', 'apps.1.tags': 'must be texts.', ids: 'must be texts.' },
  })
})
