import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RETRY_AFTER_MS_MAX, retryAfterMs } from './retry-after.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ask = (value: string, date?: string) =>
  retryAfterMs(date === undefined ? { 'retry-after': value } : { 'retry-after': value, date }, now)

test('seconds are taken as they are, up to a day', () => {
  assert.equal(ask('0'), 0)
  assert.equal(ask('120'), 120_000)
  assert.equal(ask(' 7 '), 7_000)
  assert.equal(ask('86400'), RETRY_AFTER_MS_MAX)
  assert.equal(ask('99999999999999999999999999'), RETRY_AFTER_MS_MAX)
})

test('a date in any of the three forms of HTTP is a wait until then', () => {
  assert.equal(ask('Sun, 01 Mar 2026 12:05:00 GMT'), 300_000)
  assert.equal(ask('Sunday, 01-Mar-26 12:05:00 GMT'), 300_000)
  assert.equal(ask('Sun Mar  1 12:05:00 2026'), 300_000)
  assert.equal(ask('Sun, 01 Mar 2026 11:00:00 GMT'), 0, 'a date in the past asks for no wait')
  assert.equal(ask('Fri, 01 Mar 2030 12:00:00 GMT'), RETRY_AFTER_MS_MAX)
})

test('a date counts from the clock of the receiver that wrote it', () => {
  assert.equal(ask('Sun, 01 Mar 2026 13:00:30 GMT', 'Sun, 01 Mar 2026 13:00:00 GMT'), 30_000)
  assert.equal(ask('Sun, 01 Mar 2026 12:05:00 GMT', 'nonsense'), 300_000)
})

test('what is neither seconds nor a date asks for nothing', () => {
  for (const value of [
    '',
    ' ',
    '-5',
    '1.5',
    '+3',
    '1e9',
    'soon',
    '2026-03-01T12:05:00Z',
    '5, 6',
    'Sun, 99 Foo 2026 12:05:00 GMT',
  ]) {
    assert.equal(ask(value), null, JSON.stringify(value))
  }
  assert.equal(retryAfterMs({}, now), null)
})

test('whatever a receiver writes, the wait is from 0 to a day or there is none', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.nat().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (value) => {
        const ms = ask(value)
        assert.ok(ms === null || (ms >= 0 && ms <= RETRY_AFTER_MS_MAX), `${value}: ${ms}`)
      },
    ),
  )
})
