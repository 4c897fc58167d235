import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAttemptLimit } from './attempt-limit.ts'

function limited() {
  let nowMs = 0
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  return {
    limit: createAttemptLimit({ max: 3, windowMs: 60_000, clock }),
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}
const refused = { code: 'rate_limited', message: /^Too many attempts; try again in \d+ s\.$/ }

describe('attempts that could be guesses', () => {
  it('are refused once too many have failed, for that key alone, until the first is long ago', () => {
    const { limit, pass } = limited()
    for (let i = 0; i < 3; i += 1) {
      limit.attempt('ann')
      pass(1_000)
    }
    assert.throws(() => limit.attempt('ann'), refused)
    limit.attempt('ben')
    pass(56_999)
    assert.throws(() => limit.attempt('ann'), refused)
    pass(1)
    limit.attempt('ann')
    assert.throws(() => limit.attempt('ann'), refused)
  })

  it('are forgiven by a success', () => {
    const { limit } = limited()
    for (let i = 0; i < 10; i += 1) {
      limit.attempt('ann')
      limit.succeeded('ann')
    }
    for (let i = 0; i < 3; i += 1) limit.attempt('ann')
    assert.throws(() => limit.attempt('ann'), refused)
  })
})
