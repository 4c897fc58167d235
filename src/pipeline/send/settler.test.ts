import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settlerOf } from '../../../test/support/settler.ts'
import { silentMeter } from '../../../test/support/silent-meter.ts'
import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import { instantOf } from '../../runtime/instant.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import type { Lane, LaneChange, Settled } from '../../storage/port/deliveries.ts'
import { StorageUnavailable } from '../../storage/port/errors.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { healthFrom } from './health.ts'
import { createInFlight } from './in-flight.ts'
import { laneChange, type Result } from './settler.ts'

const now = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const never = new AbortController().signal
const lane: Lane = {
  hookId: 'h',
  accountId: 'a',
  host: 'x:443',
  source: 'api',
  targetType: 'webhook',
  ratePerSecond: null,
  messageSchedule: null,
  health: null,
}

function result(seq: number, httpStatus = 200): Result {
  const failed = { kind: 'failed', reason: 'http_status', httpStatus, retryAfterMs: null } as const
  return {
    settled: {
      delivery: { seq, hookId: 'h', eventId: `event ${seq}` },
      attempt: {},
      next: { status: 'delivered' },
    } as unknown as Settled,
    result: {
      outcome: httpStatus === 200 ? { kind: 'accepted', httpStatus } : failed,
      after: { kind: 'settle', next: { status: 'delivered' }, hookGone: httpStatus === 410 },
    },
  }
}

/** Records its batches after the given number of failures. */
function recordingStorage(failures = 0) {
  const batches: number[][] = []
  const changes: LaneChange[] = []
  const settle: Storage['deliveries']['settle'] = async (settled, at, change) => {
    if (failures-- > 0) throw new StorageUnavailable('The database is unavailable.')
    batches.push(settled.map(({ delivery }) => delivery.seq))
    changes.push(change(lane, settled, at))
  }
  const storage = { deliveries: { settle } } as unknown as Pick<Storage, 'deliveries'>
  return { batches, changes, storage }
}

test('results are stored together, at most 128, without waiting for a full batch', async () => {
  const { storage, batches } = recordingStorage()
  const settler = settlerOf({ storage })
  for (let seq = 0; seq < 134; seq += 1) settler.add(result(seq))
  await settler.flush(never)
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [128, 6],
  )
})

test('results are queued while storage is unavailable and stored afterwards', async () => {
  const { storage, batches } = recordingStorage(3)
  const slept: number[] = []
  const clock: Clock = {
    now: () => now,
    monotonicMs: () => now.getTime(),
    sleep: async (ms) => void slept.push(ms),
  }
  const settler = settlerOf({ storage, clock })
  settler.add(result(1))
  await settler.flush(never)
  assert.deepEqual(batches, [[1]])
  assert.deepEqual(slept.slice(-3), [100, 200, 400])
})

test('an aborted stop drops results while storage is unavailable', async () => {
  const { storage, batches } = recordingStorage(Number.POSITIVE_INFINITY)
  const settler = settlerOf({ storage })
  settler.add(result(1))
  const abortInFlight = new AbortController()
  abortInFlight.abort()
  await settler.flush(abortInFlight.signal)
  assert.deepEqual(batches, [])
})

test('the results of a lane are applied in order', async () => {
  const { storage, changes } = recordingStorage()
  const settler = settlerOf({ storage })
  for (let seq = 0; seq < 5; seq += 1) settler.add(result(seq, 500))
  settler.add(result(5))
  await settler.flush(never)
  assert.deepEqual(
    changes.flatMap((change) => change.notices.map((notice) => notice.kind)),
    ['failing', 'recovered'],
  )
})

test('a healthy lane needs no write', () => {
  const change = laneChange(lane, [result(1).result], now)
  assert.deepEqual(change, { health: null, notBefore: null, notices: [], gone: false })
})

test('an opening breaker postpones its lane, and a closing one makes it ready', () => {
  const failures = Array.from({ length: 10 }, (_, seq) => result(seq, 500).result)
  const opened = laneChange(lane, failures, now)
  assert.equal(opened.notBefore?.getTime(), now.getTime() + 30_000)
  assert.ok(healthFrom(opened.health).breaker.openUntilMs !== null)
  const closed = laneChange({ ...lane, health: opened.health }, [result(11).result], now)
  assert.equal(closed.notBefore, now)
  const more = laneChange({ ...lane, health: opened.health }, [result(11, 500).result], now)
  assert.equal(more.notBefore, null, 'results of requests already under way change nothing')
})

test('one 410 ends the hook, whatever the other results', () => {
  assert.equal(laneChange(lane, [result(1).result, result(2, 410).result], now).gone, true)
})

test('the settler names results that are stored after the end of their lease', async () => {
  const { storage } = recordingStorage(1)
  let nowMs = 0
  const clock: Clock = {
    now: () => now,
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
  }
  const lines: unknown[] = []
  const counted: unknown[] = []
  const log: Log = { ...silentLog, warn: (...line) => void lines.push(line) }
  const meter: Meter = { ...silentMeter, count: (...count) => void counted.push(count) }
  const inFlight = createInFlight()
  const settler = settlerOf({ storage, clock, log, meter, inFlight })
  for (const [one, leaseEndsAtMs] of [
    [result(1), 50],
    [result(2, 500), 90],
    [result(3), 200],
  ] as const) {
    inFlight.add([one.settled.delivery], leaseEndsAtMs, new Map())
    settler.add(one)
  }
  await settler.flush(never)
  const lineOf = (seq: number, lateMs: number) => [
    'delivery.settled_late',
    { event_id: `event ${seq}`, hook_id: 'h', late_ms: lateMs },
  ]
  assert.deepEqual(lines, [lineOf(1, nowMs - 50), lineOf(2, nowMs - 90)])
  assert.deepEqual(
    counted,
    [['duplicates_suspected_total', { reason: 'lease_ended' }]],
    'only the accepted one',
  )
})
