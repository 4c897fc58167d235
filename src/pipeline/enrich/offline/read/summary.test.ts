import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOfflineEngine } from '../engine.ts'

const enrich = createOfflineEngine()
const summaryOf = (body: string) => enrich({ title: null, body, rating: null, storefront: 'us' }).summary_en

test('whoever is content is pleased with what goes well, not with what goes wrong', () => {
  assert.equal(summaryOf('Two years without a single crash.'), 'Pleased with stability.')
  assert.equal(summaryOf('It crashes at every start.'), 'Reports a problem with crashes. Urgent.')
})

test('a wish is told in English, in whatever language it was made, and never in words of the review', () => {
  assert.match(summaryOf('Please add a dark mode.'), /Asks for: Dark mode\.$/)
  assert.match(summaryOf('Bitte einen Dunkelmodus einbauen.'), /Asks for: Dark mode\.$/)
  assert.equal(summaryOf('Please add a way to frobnicate the quux.'), 'Asks for a new feature.')
})
