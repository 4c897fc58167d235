import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhraseSyntaxError } from '../phrases/pattern.ts'
import { parseExamples } from './table.ts'

const read = (text: string) => parseExamples(text, 'xx.txt', new Set(['timer', 'dark-mode']))

test('a line is a wish for the feature of its section, and an indented one goes on with the wish before it', () => {
  assert.deepEqual(
    read('# a remark\n[timer]\nStop by itself, please\nI fall asleep\n  to it #1\n\n[dark-mode]\nToo bright'),
    [
      { slug: 'timer', text: 'Stop by itself, please' },
      { slug: 'timer', text: 'I fall asleep to it #1' },
      { slug: 'dark-mode', text: 'Too bright' },
    ],
  )
})

test('a section may come again, hold nothing, and be the last without a line end', () => {
  assert.deepEqual(read('[timer]\n[dark-mode]\none\n[timer]\r\ntwo\r\n'), [
    { slug: 'dark-mode', text: 'one' },
    { slug: 'timer', text: 'two' },
  ])
  assert.deepEqual(read(''), [])
})

test('what cannot be read is named by the line it stands on', () => {
  const refused = (text: string, line: number) =>
    assert.throws(
      () => read(text),
      (error: unknown) => error instanceof PhraseSyntaxError && error.message.startsWith(`xx.txt:${line}: `),
      text,
    )
  refused('# remark\na wish of nothing', 2)
  refused('[timer]\nfine\n[no-feature]\nwish', 3)
  refused('[timer\nwish', 1)
  refused('[timer]\n\n  goes on with nothing', 3)
  refused('[timer]\nwish\n# remark\n  goes on with a remark', 4)
})
