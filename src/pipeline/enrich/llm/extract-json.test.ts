import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extractJson } from './extract-json.ts'

const answer = { reviews: [{ id: 'a' }] }
const json = JSON.stringify(answer)

for (const [what, text] of [
  ['plain', json],
  ['in a code fence', `\`\`\`json\n${json}\n\`\`\``],
  ['after a sentence', `Here you go: ${json}`],
  ['before a sentence', `${json}\nAnything else?`],
  ['after reasoning', `<think>the user {wants} json</think>\n${json}`],
  ['after reasoning whose start was cut off', `so {it} is</think>${json}`],
  ['after reasoning and in a fence', `<think>hm {</think>Sure!\n\`\`\`\n${json}\n\`\`\``],
  ['as a bare array', JSON.stringify(answer.reviews)],
] as const) {
  test(`JSON is found ${what}`, () => {
    assert.deepEqual(extractJson(text), answer)
  })
}

test('a truncated, empty or prose answer has no JSON', () => {
  for (const text of ['', 'BANANA', '42', 'null', json.slice(0, -3), '<think>only thoughts']) {
    assert.equal(extractJson(text), null)
  }
})

test('the search for JSON never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void extractJson(text)))
})
