import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { loadTables } from '../phrases/load.ts'
import { PhraseSyntaxError } from '../phrases/pattern.ts'
import { formatHeard, parseHeard } from './heard.ts'
import { learnHeard } from './learn.ts'
import { tallyMeetings } from './likeness.ts'
import { HEARD_PATH } from './load.ts'

const SLUGS = ['timer', 'dark-mode', 'zoom']

const anyMeetings = fc.array(
  fc.record({
    sign: fc.constantFrom('feature/zoom', 'concept/night', 'clue/by-itself'),
    place: fc.nat({ max: SLUGS.length - 1 }),
    count: fc.integer({ min: 1, max: 9 }),
  }),
)

test('what was learned is read as it was written, whatever the order it was met in', () => {
  fc.assert(
    fc.property(anyMeetings, (meetings) => {
      const text = formatHeard(tallyMeetings(meetings, SLUGS.length), SLUGS)
      assert.equal(formatHeard(parseHeard(text, SLUGS, 'heard.tsv'), SLUGS), text)
      assert.equal(formatHeard(tallyMeetings(meetings.toReversed(), SLUGS.length), SLUGS), text)
    }),
  )
})

test('a line that was not written by the program is named', () => {
  for (const line of [
    'concept/night',
    'night\ttimer 1',
    'concept/night\ttimer',
    'concept/night\ttimer 1,zoom 2',
  ])
    assert.throws(
      () => parseHeard(`# remark\n${line}`, SLUGS, 'heard.tsv'),
      (error: unknown) => error instanceof PhraseSyntaxError && error.message.startsWith('heard.tsv:2: '),
      line,
    )
})

test('a feature that has left the catalogue is left out', () => {
  const tally = parseHeard('concept/night\tgone 4, dark-mode 2', SLUGS, 'heard.tsv')
  assert.deepEqual([...tally.pairs], [1])
  assert.deepEqual([...tally.counts], [2])
})

test('heard.tsv is what the tables hear in the examples: if not, run `npm run learn:examples`', () => {
  const tables = loadTables()
  const learned = formatHeard(learnHeard(tables), tables.slugs)
  // No assert.equal: a difference of thousands of lines would be printed.
  assert.ok(readFileSync(HEARD_PATH, 'utf8') === learned, 'run `npm run learn:examples` and commit heard.tsv')
})
