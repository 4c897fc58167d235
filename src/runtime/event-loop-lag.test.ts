import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { LAG_WINDOW_MS, LAG_WINDOWS_MAX, lagWatch, measureLag } from './event-loop-lag.ts'

/** A lag watch. The test ends its windows and sets the lag. */
function openWatch() {
  const stop = new AbortController()
  let endWindow = () => {}
  let max = 0
  let read = 0
  let nowMs = 0
  const slept: number[] = []
  const sleep = (ms: number) => {
    slept.push(ms)
    return new Promise<void>((resolve) => {
      endWindow = resolve
    })
  }
  const meter = {
    read: () => {
      read += 1
      return { p50: 0, p99: 0, max }
    },
  }
  const watch = lagWatch(meter, { sleep, monotonicMs: () => nowMs })
  const ended = watch.run(stop.signal)
  return {
    slept,
    problem: () => watch.problem?.() ?? null,
    window: async (seconds: number, tookMs = LAG_WINDOW_MS) => {
      const before = read
      nowMs += tookMs
      max = seconds
      endWindow()
      await until('the window was read', () => read > before)
    },
    close: async () => {
      stop.abort()
      endWindow()
      await ended
    },
  }
}

test('lag above a second in three windows in a row is a problem until a window without it', async () => {
  const watch = openWatch()
  for (let window = 1; window < LAG_WINDOWS_MAX; window++) await watch.window(1.5)
  assert.equal(watch.problem(), null)
  await watch.window(2.25)
  assert.match(watch.problem() ?? '', /more than 1 s .* last 3 windows of 5 s, by 2\.3 s at most/)
  await watch.window(0.2)
  assert.equal(watch.problem(), null)
  assert.ok(watch.slept.every((ms) => ms === LAG_WINDOW_MS))
  await watch.close()
})

test('a single long pause is not a problem, and neither is lag of a second', async () => {
  const watch = openWatch()
  await watch.window(30)
  for (let window = 0; window < 5; window++) await watch.window(1)
  assert.equal(watch.problem(), null)
  await watch.close()
})

test('a window that ends late is slow, even if the meter measured no lag', async () => {
  const watch = openWatch()
  for (let window = 0; window < LAG_WINDOWS_MAX; window++) await watch.window(0, LAG_WINDOW_MS + 6_000)
  assert.match(watch.problem() ?? '', /by 6\.0 s at most/)
  await watch.close()
})

test('a blocked event loop is measured, and a reading resets the meter', async () => {
  const meter = measureLag()
  const turn = () => new Promise((resolve) => setTimeout(resolve, 60))
  await turn()
  meter.read()
  await turn()
  const untilMs = performance.now() + 300
  while (performance.now() < untilMs);
  await turn()
  assert.ok(meter.read().max >= 0.2)
  // The machine may be slow, but only for a while.
  await until('the meter was reset', () => meter.read().max < 0.2)
})
