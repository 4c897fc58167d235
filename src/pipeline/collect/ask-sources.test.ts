import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NamedSourceHealth, type SourceFault, unprovenSource } from '../../model/source-health.ts'
import { instantOf } from '../../runtime/instant.ts'
import type { SourcePage, SourcePageAnswer } from '../appstores/appstore.ts'
import { askSources } from './ask-sources.ts'
import type { StoreSources } from './store-sources.ts'

const INDEXES: Readonly<Record<string, string>> = { rss: 'feed', rss_xml: 'feed', web: 'web' }
const never = new AbortController().signal
const EMPTY: SourcePageAnswer = { kind: 'empty', detail: 'No reviews.' }

/** One node at noon. `shows`: whether a source has reviews, by how often it was asked before. */
function startChecks(
  shows: (source: string, asked: number) => boolean,
  faults: Readonly<Record<string, SourceFault>> = {},
) {
  let nowMs = Date.parse('2026-11-18T12:00:00Z')
  const requests: string[] = []
  let records: readonly NamedSourceHealth[] = Object.keys(INDEXES).map((source) => ({
    ...{ store: 'apple', source, ...unprovenSource(instantOf(nowMs)) },
    ...(faults[source] === undefined ? {} : { state: 'degraded', fault: faults[source] }),
  }))
  const change: StoreSources['change'] = async (next) => {
    records = next(records, instantOf(nowMs))
  }
  const pages = Object.entries(INDEXES).map(
    ([source, index]): SourcePage => ({
      ...{ source, index, newestFirst: true },
      ask: async () => {
        const isShown = shows(source, requests.filter((one) => one === source).length)
        requests.push(source)
        return isShown ? { kind: 'ok', source, reviews: [REVIEW], next: null } : EMPTY
      },
    }),
  )
  return {
    requests,
    check: () =>
      askSources(
        {
          storeSources: { change },
          pace: async () => true,
          clock: {
            sleep: async (ms) => {
              nowMs += ms
            },
          },
        },
        pages,
        never,
      ),
    hoursLater: (hours: number) => {
      nowMs += hours * 3_600_000
    },
  }
}

const REVIEW = {
  ...{
    reviewId: '1',
    rating: 4,
    title: null,
    body: 'It works.',
    author: null,
    appVersion: null,
    edited: null,
  },
  ...{ shownAt: new Date('2026-11-17T08:00:00Z') },
} as const

test('a check asks every source once when each shows reviews', async () => {
  const checks = startChecks(() => true)
  await checks.check()
  assert.deepEqual(checks.requests, ['rss', 'rss_xml', 'web'])
})

test('a check asks an index again whose sources all have an empty page, until one shows reviews', async () => {
  const checks = startChecks((source, asked) => source === 'web' || (source === 'rss_xml' && asked === 2))
  const asked = await checks.check()
  assert.deepEqual(checks.requests, ['rss', 'rss_xml', 'web', 'rss_xml', 'rss_xml'])
  assert.equal(asked?.at(-1)?.answer.kind, 'ok')
})

test('a check asks nothing again when one source of the index shows reviews', async () => {
  const checks = startChecks((source) => source !== 'rss')
  await checks.check()
  assert.deepEqual(checks.requests, ['rss', 'rss_xml', 'web'])
})

test('a check asks nothing again when no source at all shows reviews', async () => {
  const checks = startChecks(() => false)
  await checks.check()
  assert.deepEqual(checks.requests, ['rss', 'rss_xml', 'web'])
})

test('a check spares a source that is often empty when another one shows its index', async () => {
  const often = { rss: 'empty', rss_xml: 'empty' } as const
  const shown = startChecks(() => true, often)
  await shown.check()
  assert.deepEqual(shown.requests, ['rss', 'web'])
  const hidden = startChecks((source) => source !== 'rss', often)
  await hidden.check()
  assert.deepEqual(hidden.requests, ['rss', 'rss_xml', 'web'])
})

test('a source is asked at most eight times a day by checks, however often its page is empty', async () => {
  const checks = startChecks((source) => source === 'web')
  for (const hour of [0, 1, 2, 3]) {
    checks.hoursLater(Math.min(1, hour))
    await checks.check()
  }
  const counts = Object.keys(INDEXES).map((source) => checks.requests.filter((one) => one === source).length)
  assert.deepEqual(counts, [8, 8, 4])
  checks.hoursLater(12)
  await checks.check()
  assert.ok(checks.requests.filter((one) => one === 'rss').length > 8, 'the next day')
})
