import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOf } from '../runtime/instant.ts'
import { networkOf } from '../runtime/network.ts'
import { createAttemptLimit } from './attempt-limit.ts'

function limited() {
  let nowMs = 0
  const clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  return {
    limit: createAttemptLimit({ max: 3, windowMs: 60_000, clock }),
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}
const NETWORK = networkOf('2001:db8:1:200::1')
const limitError = { code: 'rate_limited', message: /^Too many attempts; try again in \d+ s\.$/ }

describe('attempts to guess a secret', () => {
  it('attempts to guess a secret are refused for a key after too many failures until its next permit', () => {
    const { limit, pass } = limited()
    for (let i = 0; i < 3; i += 1) limit.attempt(NETWORK, 'ann')
    assert.throws(() => limit.attempt(NETWORK, 'ann'), limitError)
    limit.attempt(NETWORK, 'ben')
    pass(19_999)
    assert.throws(() => limit.attempt(NETWORK, 'ann'), { ...limitError, message: /in 1 s\.$/ })
    pass(1)
    limit.attempt(NETWORK, 'ann')
    assert.throws(() => limit.attempt(NETWORK, 'ann'), { ...limitError, message: /in 20 s\.$/ })
  })

  it('attempts to guess a secret start again after a success', () => {
    const { limit } = limited()
    for (let i = 0; i < 10; i += 1) {
      limit.attempt(NETWORK, 'ann')
      limit.succeeded(NETWORK, 'ann')
    }
    for (let i = 0; i < 3; i += 1) limit.attempt(NETWORK, 'ann')
    assert.throws(() => limit.attempt(NETWORK, 'ann'), limitError)
  })

  it('attempts to guess a secret share their limit within the network of a customer', () => {
    const { limit } = limited()
    for (let host = 0; host < 3; host += 1) limit.attempt(networkOf(`2001:db8:1:2ff::${host}`))
    assert.throws(() => limit.attempt(NETWORK), limitError)
    limit.attempt(networkOf('2001:db8:1:300::1'))
  })
})
