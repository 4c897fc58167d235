import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { instantOf } from '../runtime/instant.ts'
import { networkOf } from '../runtime/network.ts'
import type { AttemptLimitStorage } from '../storage/port/attempt-limits.ts'
import { openSqlite } from '../storage/sqlite/open.ts'
import { ATTEMPT_LIMITS, createAttemptLimit } from './attempt-limit.ts'

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
  it('attempts to guess a secret have the limits that the documentation names', () => {
    const minute = 60_000
    assert.deepEqual(ATTEMPT_LIMITS, {
      setup: { max: 10, siteMax: 50, windowMs: 15 * minute },
      sign_up: { max: 5, siteMax: 25, windowMs: 60 * minute },
      invitation: { max: 20, siteMax: 100, windowMs: 15 * minute },
      invitation_shown: { max: 60, siteMax: 300, windowMs: 15 * minute },
      sign_in_failure: { max: 10, siteMax: null, windowMs: 15 * minute },
      sign_in: { max: 60, siteMax: 300, windowMs: minute },
    })
  })

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

  it('attempts to guess a secret are limited for the /48 of an IPv6 network too, but those of a user are not', async () => {
    await using limits = await limited()
    const { limit, another } = limits
    const networks = Array.from({ length: 8 }, (_, n) => networkOf(`2001:db8:1:${n}00::1`))
    const granted = async (each: typeof limit, user: string) => {
      let count = 0
      for (const network of networks)
        for (let n = 0; n < 10; n += 1) if (await isGranted(each.attempt(network, user))) count += 1
      return count
    }
    assert.equal(await granted(limit, ''), 50)
    assert.equal(await granted(another, 'ann'), 80)
    await limit.attempt(networkOf('2001:db8:2::1'))
    await limit.attempt(networkOf('203.0.113.1'))
  })

  it('attempts to guess a secret never exceed the limit, whatever clocks and other limits the nodes use', async () => {
    const anyName = fc.constantFrom(...names)
    const anyCall = fc.record({
      name: anyName,
      network: fc.constantFrom(NETWORK, networkOf('203.0.113.1')),
      pauseMs: fc.oneof(fc.nat({ max: 10 }), fc.nat({ max: 5_000 }), fc.nat({ max: 200_000 })),
      clockMs: fc.integer({ min: -APART_MS, max: APART_MS }),
      count: fc.integer({ min: 1, max: 25 }),
    })
    await using storage = await openSqlite({ file: ':memory:' })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { maxLength: 12 }), async (calls) => {
        run += 1
        const attemptLimits = inOneKey(storage.attemptLimits, `run ${run}`)
        let realMs = Date.UTC(2026, 10, 1)
        const grantedAtMs = new Map<string, number[]>()
        for (const { name, network, pauseMs, clockMs, count } of calls) {
          realMs += pauseMs
          const clock = { now: () => instantOf(realMs + clockMs) }
          const limit = createAttemptLimit({ attemptLimits, clock }, name)
          for (let n = 0; n < count; n += 1) {
            if (!(await isGranted(limit.attempt(network)))) continue
            grantedAtMs.set(name, [...(grantedAtMs.get(name) ?? []), realMs])
          }
        }
        for (const [name, atMs] of grantedAtMs) assertWithinLimit(name as keyof typeof ATTEMPT_LIMITS, atMs)
      }),
      { numRuns: 50 },
    )
  })

  it('attempts to guess a secret are refused by a node that is behind for as long as they were used up, and no more', async () => {
    await using storage = await openSqlite({ file: ':memory:' })
    const startMs = Date.UTC(2026, 10, 1)
    const at = (ms: number) =>
      createAttemptLimit(
        { attemptLimits: storage.attemptLimits, clock: { now: () => instantOf(startMs + ms) } },
        'sign_in_failure',
      )
    for (let n = 0; n < 10; n += 1) await at(0).attempt(NETWORK, 'ann')
    for (const behindMs of [1, 300, APART_MS])
      for (let n = 0; n < 20; n += 1)
        await assert.rejects(at(-behindMs).attempt(NETWORK, 'ann'), {
          retryAfterS: 90 + Math.ceil(behindMs / 1_000),
        })
    await at(90_000).attempt(NETWORK, 'ann')
  })
})

/** How far the clock of a node may be from the real time. */
const APART_MS = 2_000
const names = Object.keys(ATTEMPT_LIMITS) as (keyof typeof ATTEMPT_LIMITS)[]

async function isGranted(attempt: Promise<void>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'rate_limited') throw error
    return false
  }
}

/** As if all keys had the same slots. */
function inOneKey({ take, reset }: AttemptLimitStorage, key: string): AttemptLimitStorage {
  return {
    take: (name, _, now, decide) => take(name, key, now, decide),
    reset: (name) => reset(name, key),
  }
}

/** Every window has at most the burst and its length at the rate, plus the time by which two clocks are apart. */
function assertWithinLimit(name: keyof typeof ATTEMPT_LIMITS, atMs: readonly number[]): void {
  const { max, windowMs } = ATTEMPT_LIMITS[name]
  for (const [index, firstMs] of atMs.entries())
    for (const [more, lastMs] of atMs.slice(index).entries()) {
      const allowed = max + ((lastMs - firstMs + 2 * APART_MS) * max) / windowMs
      assert.ok(
        more + 1 <= allowed + 0.01,
        `${name}: ${more + 1} in ${lastMs - firstMs} ms, allowed ${allowed}`,
      )
    }
}
