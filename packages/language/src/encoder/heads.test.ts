import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksForFeature } from './heads.ts'

const asks = (request: number, featureP: number) =>
  asksForFeature(
    { request, likeliestFeature: { slug: 'dark-mode', p: featureP } },
    { request: 0.5, requestForSureFeature: 0.2, sureFeature: 0.9 },
  )

test('the encoder needs less evidence of a request when its feature is certain', () => {
  assert.equal(asks(0.3, 0.95), true)
  assert.equal(asks(0.3, 0.8), false)
  assert.equal(asks(0.6, 0.1), true)
})

test('the encoder reads no request in praise of a certain feature', () => {
  assert.equal(asks(0.05, 0.99), false)
})
