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
    const isAskedAsUsual = health.state !== 'off' && health.fault !== 'unsorted' && health.fault !== 'frozen'
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

test('a source with many empty pages of single apps is degraded but asked, until they are rare again', () => {
  let health = unprovenSource(NOON)
  for (let poll = 0; poll < 8; poll += 1) {
    health = afterAnswer(health, served(), 'a', NOON)
    health = afterAnswer(health, { kind: 'empty' }, 'b', NOON)
  }
  assert.deepEqual([health.state, health.fault, health.probeAt], ['degraded', 'empty', null])
  for (let poll = 1; poll <= 50; poll += 1)
    health = afterAnswer(health, served(later(poll * HOUR_MS)), 'a', later(poll * HOUR_MS))
  assert.equal(health.state, 'healthy')
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
    'The source rss of apple is degraded since 2026-11-18T12:00:00.000Z: it often shows no reviews of apps whose reviews other sources show. Polls go on.',
  )
  assert.equal(sourceSentence({ ...unprovenSource(NOON), store: 'apple', source: 'rss' }), null)
})
