import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOf } from '../runtime/instant.ts'
import { networkOf } from '../runtime/network.ts'
import { openSqlite } from '../storage/sqlite/open.ts'
import { createAttemptLimit } from './attempt-limit.ts'

/** Ten attempts at once, then one every 90 seconds. */
async function limited() {
  let nowMs = Date.UTC(2026, 10, 1)
  const clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  const storage = await openSqlite({ file: ':memory:' })
  const { attemptLimits } = storage
  return {
    limit: createAttemptLimit({ attemptLimits, clock }, 'setup'),
    another: createAttemptLimit({ attemptLimits, clock }, 'sign_in_failure'),
    pass: (ms: number) => {
      nowMs += ms
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}
const NETWORK = networkOf('2001:db8:1:200::1')
const limitError = { code: 'rate_limited', message: /^Too many attempts; try again in \d+ s\.$/ }

describe('attempts to guess a secret', () => {
  it('attempts to guess a secret are refused for a key after too many failures until its next permit', async () => {
    await using limits = await limited()
    const { limit, another, pass } = limits
    for (let i = 0; i < 10; i += 1) await limit.attempt(NETWORK, 'ann')
    await assert.rejects(limit.attempt(NETWORK, 'ann'), limitError)
    await limit.attempt(NETWORK, 'ben')
    await another.attempt(NETWORK, 'ann')
    pass(89_999)
    await assert.rejects(limit.attempt(NETWORK, 'ann'), { ...limitError, message: /in 1 s\.$/ })
    pass(1)
    await limit.attempt(NETWORK, 'ann')
    await assert.rejects(limit.attempt(NETWORK, 'ann'), { ...limitError, message: /in 90 s\.$/ })
  })

  it('attempts to guess a secret start again after a success', async () => {
    await using limits = await limited()
    const { limit } = limits
    for (let i = 0; i < 30; i += 1) {
      await limit.attempt(NETWORK, 'ann')
      await limit.succeeded(NETWORK, 'ann')
    }
    for (let i = 0; i < 10; i += 1) await limit.attempt(NETWORK, 'ann')
    await assert.rejects(limit.attempt(NETWORK, 'ann'), limitError)
  })

  it('attempts to guess a secret share their limit within the network of a customer', async () => {
    await using limits = await limited()
    const { limit } = limits
    for (let host = 0; host < 10; host += 1) await limit.attempt(networkOf(`2001:db8:1:2ff::${host}`))
    await assert.rejects(limit.attempt(NETWORK), limitError)
    await limit.attempt(networkOf('2001:db8:1:300::1'))
  })
})
