import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterAnswer,
  afterCheck,
  afterProbe,
  PROBE_MS,
  PROBE_MS_MAX,
  SOURCE_FAULTS,
  type SourceAnswer,
  type SourceHealth,
  SUSPECT_APPS_MIN,
  shareOf,
  sourceOrder,
  sourceSentence,
  unprovenSource,
} from './source-health.ts'

const NOON = new Date('2026-11-18T12:00:00Z')
const HOUR_MS = 3_600_000
const later = (ms: number) => new Date(NOON.getTime() + ms)
const served = (newestAt: Date | null = NOON): SourceAnswer => ({ kind: 'served', newestAt, sorted: true })

const steps = fc.array(
  fc.record({
    act: fc.constantFrom('served', 'empty', 'unsorted', 'frozen', 'changed', 'blocked', 'probe', 'check'),
    appId: fc.nat(9).map(String),
    afterMs: fc.nat(PROBE_MS_MAX),
    fault: fc.constantFrom(...SOURCE_FAULTS, null, undefined),
  }),
  { maxLength: 60 },
)

/** Applies random steps; `check` sees the health before and after each. */
function walk(check: (health: SourceHealth, before: SourceHealth, act: string, now: Date) => void): void {
  fc.assert(
    fc.property(steps, (sequence) => {
      let health = unprovenSource(NOON)
      let nowMs = 0
      for (const { act, appId, afterMs, fault } of sequence) {
        nowMs += afterMs
        const now = later(nowMs)
        const before = health
        if (act === 'probe')
          health = before.probeAt !== null && before.probeAt <= now ? afterProbe(before, now) : before
        else if (act === 'check')
          health = afterCheck(before, { fault, newestAt: now, overlap: 0.5 }, appId, now)
        else if (act === 'served') health = afterAnswer(before, served(now), appId, now)
        else health = afterAnswer(before, { kind: act } as SourceAnswer, appId, now)
        check(health, before, act, now)
      }
    }),
  )
}

test('a source has a fault exactly while it is degraded or off, and a probe exactly while it is not asked as usual', () => {
  walk((health) => {
    assert.equal(health.fault !== null, health.state === 'degraded' || health.state === 'off')
    const isAskedAsUsual = health.fault === null || health.fault === 'delayed'
    assert.equal(health.probeAt === null, isAskedAsUsual, JSON.stringify(health))
  })
})

test('a probe of a source is never further away than six hours', () => {
  walk((health, before, _, now) => {
    if (health.probeAt === null || health.probeAt.getTime() === before.probeAt?.getTime()) return
    const aheadMs = health.probeAt.getTime() - now.getTime()
    assert.ok(aheadMs >= PROBE_MS && aheadMs <= PROBE_MS_MAX, String(aheadMs))
  })
})

test('a page with newer reviews ends every fault of a source but a delay, which is not its own', () => {
  walk((health, before, act) => {
    if (act !== 'served' || before.fault === 'delayed') return
    const isNewer = before.newestAt === null || (health.newestAt ?? NOON) > before.newestAt
    if (isNewer && before.state !== 'degraded') assert.notEqual(health.state, 'off')
  })
})

test('shares of answers stay between 0 and 1, and the newest review never moves back', () => {
  walk((health, before, _, now) => {
    for (const kind of ['emptyAnswers', 'unsortedAnswers', 'blockedAnswers'] as const)
      assert.ok(shareOf(health, kind) >= 0 && shareOf(health, kind) <= 1)
    assert.ok(health.suspectApps.length <= SUSPECT_APPS_MIN)
    assert.ok(before.newestAt === null || (health.newestAt !== null && health.newestAt >= before.newestAt))
    assert.ok(health.since <= now)
  })
})

test('a source that shows nothing for five different apps in a row is off, and one page of reviews ends it', () => {
  for (const kind of ['empty', 'changed', 'blocked'] as const) {
    let health = afterAnswer(unprovenSource(NOON), served(), 'a', NOON)
    assert.equal(health.state, 'healthy')
    for (let app = 1; app <= SUSPECT_APPS_MIN; app += 1) {
      assert.notEqual(health.state, 'off')
      health = afterAnswer(health, { kind }, String(app), NOON)
      health = afterAnswer(health, { kind }, String(app), NOON)
    }
    assert.deepEqual([health.state, health.fault], ['off', kind])
    assert.notEqual(afterAnswer(health, served(), 'a', NOON).state, 'off')
  }
})

test('a frozen source serves pages, so only a newer review ends that', () => {
  const found = { fault: 'frozen', newestAt: null, overlap: null } as const
  const frozen = afterCheck(afterAnswer(unprovenSource(NOON), served(), 'a', NOON), found, 'b', NOON)
  assert.deepEqual([frozen.state, frozen.fault], ['degraded', 'frozen'])
  assert.equal(afterAnswer(frozen, served(later(HOUR_MS)), 'a', later(HOUR_MS)).fault, 'frozen')
  const thawed = afterAnswer(frozen, served(later(3 * HOUR_MS)), 'a', later(3 * HOUR_MS))
  assert.equal(thawed.state, 'healthy')
})

test('a frozen source that showed no app before stays frozen when another app shows what it had then', () => {
  const found = { fault: 'frozen', newestAt: later(-HOUR_MS), overlap: null } as const
  const frozen = afterCheck(unprovenSource(NOON), found, 'a', NOON)
  assert.equal(afterAnswer(frozen, served(later(-HOUR_MS)), 'b', later(HOUR_MS)).fault, 'frozen')
  assert.equal(afterAnswer(frozen, served(later(2 * HOUR_MS)), 'b', later(30 * HOUR_MS)).fault, null)
})

test('a frozen or unsorted source keeps its fault when it shows nothing for five apps in a row', () => {
  for (const fault of ['frozen', 'unsorted'] as const) {
    const found = { fault, newestAt: NOON, overlap: null } as const
    let health = afterCheck(unprovenSource(NOON), found, 'a', NOON)
    for (let app = 1; app <= SUSPECT_APPS_MIN; app += 1)
      health = afterAnswer(health, { kind: 'empty' }, String(app), NOON)
    assert.deepEqual([health.state, health.fault], ['degraded', fault])
  }
})

/** A source whose pages of one app are empty. */
function oftenEmpty() {
  let health = unprovenSource(NOON)
  for (let poll = 0; poll < 40; poll += 1) {
    health = afterAnswer(health, served(), 'a', NOON)
    health = afterAnswer(health, { kind: 'empty' }, 'b', NOON)
  }
  return health
}

test('a source with many empty pages is degraded and probed every half hour, until they are rare for most of a day', () => {
  let health = oftenEmpty()
  assert.deepEqual([health.state, health.fault], ['degraded', 'empty'])
  let probes = 0
  for (let at = NOON; health.state === 'degraded'; probes += 1) {
    assert.deepEqual(health.probeAt, later(probes * PROBE_MS + PROBE_MS))
    at = later((probes + 1) * PROBE_MS)
    health = afterAnswer(afterProbe(health, at), served(at), 'a', at)
  }
  assert.deepEqual([health.state, health.fault, health.probeAt], ['healthy', null, null])
  assert.ok(probes > 20 && probes < 48, `${probes} probes`)
})

test('a source that served thousands of polls is degraded after a hundred with empty pages', () => {
  let health = unprovenSource(NOON)
  for (let poll = 0; poll < 5_000; poll += 1) health = afterAnswer(health, served(), 'a', NOON)
  for (let poll = 0; poll < 100; poll += 1) {
    const answer = poll % 3 === 0 ? ({ kind: 'empty' } as const) : served()
    health = afterAnswer(health, answer, String(poll), NOON)
  }
  assert.deepEqual([health.state, health.fault], ['degraded', 'empty'])
})

test('a source with a steady share of empty pages keeps its state', () => {
  let health = oftenEmpty()
  const { since } = health
  for (let probe = 1; probe <= 300; probe += 1) {
    const at = later(probe * PROBE_MS)
    const answer = probe % 4 === 0 ? ({ kind: 'empty' } as const) : served(at)
    health = afterAnswer(afterProbe(health, at), answer, String(probe), at)
    assert.deepEqual([health.state, health.since], ['degraded', since])
  }
})

test('a source that was off for empty pages is degraded after its first page with reviews', () => {
  let health = unprovenSource(NOON)
  for (const appId of ['a', 'b', 'c', 'd', 'e']) health = afterAnswer(health, { kind: 'empty' }, appId, NOON)
  assert.equal(health.state, 'off')
  const returned = afterAnswer(afterProbe(health, NOON), served(), 'a', NOON)
  assert.deepEqual([returned.state, returned.fault, returned.probeAt], ['degraded', 'empty', later(PROBE_MS)])
})

const SOURCES = ['rss', 'web', 'row', 'page']
const order = (
  faults: Readonly<Record<string, 'empty' | 'frozen' | 'delayed'>>,
  probed: string | null = null,
) => {
  const healthOf = (source: string) => {
    const health = unprovenSource(NOON)
    const fault = faults[source]
    return fault === undefined
      ? health
      : afterCheck(
          { ...health, suspected: 'empty', suspectApps: ['1', '2', '3', '4'] },
          { fault, newestAt: null, overlap: null },
          '5',
          NOON,
        )
  }
  const { first, without } = sourceOrder(SOURCES, healthOf, probed)
  return [first, ...without]
}

test('polls start with the first source that is neither off nor unreliable', () => {
  assert.deepEqual(order({}), ['rss'])
  assert.deepEqual(order({ rss: 'delayed' }), ['rss'], 'a delay concerns all sources')
  assert.deepEqual(order({ rss: 'frozen' }), ['web'])
  assert.deepEqual(order({ rss: 'empty', web: 'frozen' }), ['row', 'rss'])
  assert.deepEqual(order({ rss: 'empty' }, 'rss'), ['rss'], 'a probe asks it first')
  const all = { rss: 'empty', web: 'empty', row: 'empty', page: 'empty' } as const
  assert.deepEqual(order(all), ['rss', ...SOURCES])
  assert.deepEqual(order({ ...all, row: 'frozen' }), ['row', 'rss', 'web', 'page'])
})

test('each fault of a source has one sentence for the operator', () => {
  const sentences = SOURCE_FAULTS.map((fault) =>
    sourceSentence({ ...unprovenSource(NOON), store: 'apple', source: 'rss', state: 'degraded', fault }),
  )
  assert.equal(new Set(sentences).size, SOURCE_FAULTS.length)
  assert.equal(
    sentences[0],
    'The source rss of apple is degraded since 2026-11-18T12:00:00.000Z: it often shows no reviews of apps whose reviews other sources show. Polls use other sources first.',
  )
  assert.equal(sourceSentence({ ...unprovenSource(NOON), store: 'apple', source: 'rss' }), null)
})
