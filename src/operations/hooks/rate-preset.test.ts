import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateOf } from '../../pipeline/send/rate.ts'
import { webhookTo } from '../../storage/conformance/samples.ts'
import { ratePresetOf } from './rate-preset.ts'

test('the preset rate of Zapier keeps rate and burst within 30 requests per second', () => {
  const rate = ratePresetOf(webhookTo('https://hooks.zapier.com/hooks/standard/1/2/'))
  assert.equal(rate, 25)
  assert.ok(rate + rateOf(rate).burst <= 30)
  assert.equal(ratePresetOf(webhookTo('https://HOOKS.zapier.com/x')), 25)
})

test('other hosts have no preset rate', () => {
  for (const url of ['https://zapier.com/', 'https://hooks.zapier.com.example.com/', 'not a url']) {
    assert.equal(ratePresetOf(webhookTo(url)), null)
  }
})
