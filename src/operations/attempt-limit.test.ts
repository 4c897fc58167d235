import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOf } from '../runtime/instant.ts'
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
const limitError = { code: 'rate_limited', message: /^Too many attempts; try again in \d+ s\.$/ }

describe('attempts to guess a secret', () => {
  it('attempts to guess a secret are refused for a key after too many failures until its next permit', () => {
    const { limit, pass } = limited()
    for (let i = 0; i < 3; i += 1) limit.attempt('ann')
    assert.throws(() => limit.attempt('ann'), limitError)
    limit.attempt('ben')
    pass(19_999)
    assert.throws(() => limit.attempt('ann'), { ...limitError, message: /in 1 s\.$/ })
    pass(1)
    limit.attempt('ann')
    assert.throws(() => limit.attempt('ann'), { ...limitError, message: /in 20 s\.$/ })
  })

  it('attempts to guess a secret start again after a success', () => {
    const { limit } = limited()
    for (let i = 0; i < 10; i += 1) {
      limit.attempt('ann')
      limit.succeeded('ann')
    }
    for (let i = 0; i < 3; i += 1) limit.attempt('ann')
    assert.throws(() => limit.attempt('ann'), limitError)
  })
})
