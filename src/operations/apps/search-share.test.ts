import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchedStore } from './find-apps.ts'
import { findApps } from './find-apps.ts'
import { createSearchShare } from './search-share.ts'

/** A store with 20 requests a minute, searched at a time that the test sets. */
function searched() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
  const requests: number[] = []
  const store: SearchedStore = {
    client: {
      store: 'apple',
      search: async () => {
        requests.push(clock.nowMs)
        return { kind: 'ok', apps: [] }
      },
      app: async () => ({ kind: 'ok', apps: [] }),
    },
    pace: async () => true,
    block: async () => {},
    answered: async () => {},
    share: createSearchShare(20, clock),
  }
  const search = async (accountId: string) => {
    const { problems } = await findApps([store], { text: 'notes', storefront: 'us', accountId })
    return problems[0]?.message ?? null
  }
  return { clock, requests, search }
}

test('searches use a tenth of the requests to a store, after a burst', async () => {
  const { clock, requests, search } = searched()
  for (let second = 0; second < 600; second += 1) {
    clock.nowMs = second * 1_000
    await search('greedy')
  }
  assert.ok(requests.length <= 10 + 20 + 1 && requests.length >= 10 + 18, `${requests.length} requests`)
})

test('accounts that search take turns, however often one of them asks', async () => {
  const { clock, search } = searched()
  for (let attempt = 0; attempt < 20; attempt += 1) await search('greedy')
  const found = { greedy: 0, modest: 0 }
  for (let second = 1; second <= 300; second += 1) {
    clock.nowMs = second * 1_000
    if ((await search('greedy')) === null) found.greedy += 1
    if (second % 10 === 0 && (await search('modest')) === null) found.modest += 1
  }
  assert.ok(Math.abs(found.greedy - found.modest) <= 1, JSON.stringify(found))
})

test('an answer says when an account may search again, and then it may', async () => {
  const { clock, search } = searched()
  for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await search('first'), null)
  assert.equal(await search('first'), 'The App Store is searched too often now. Try again in 30 s.')
  assert.match((await search('second')) ?? '', /in 60 s\.$/)
  clock.nowMs = 30_000
  assert.match((await search('second')) ?? '', /in 30 s\.$/)
  assert.equal(await search('first'), null)
  clock.nowMs = 60_000
  assert.equal(await search('second'), null)
})
