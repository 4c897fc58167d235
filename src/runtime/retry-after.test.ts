import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { httpDateMs, retryAfterMs } from './retry-after.ts'

const maxMs = 24 * 60 * 60 * 1000
const now = new Date('2026-03-01T12:00:00Z')
const waitMs = (value: string, date?: string) =>
  retryAfterMs(date === undefined ? { 'retry-after': value } : { 'retry-after': value, date }, { maxMs, now })

test('seconds are the wait, up to the maximum', () => {
  assert.equal(waitMs('0'), 0)
  assert.equal(waitMs('120'), 120_000)
  assert.equal(waitMs(' 7 '), 7_000)
  assert.equal(waitMs('86400'), maxMs)
  assert.equal(waitMs('99999999999999999999999999'), maxMs)
  assert.equal(retryAfterMs({ 'retry-after': '120' }, { maxMs: 60_000, now }), 60_000)
})

test('a date in any of the three HTTP formats is a wait until then', () => {
  assert.equal(waitMs('Sun, 01 Mar 2026 12:05:00 GMT'), 300_000)
  assert.equal(waitMs('Sunday, 01-Mar-26 12:05:00 GMT'), 300_000)
  assert.equal(waitMs('Sun Mar  1 12:05:00 2026'), 300_000)
  assert.equal(waitMs('Sun, 01 Mar 2026 11:00:00 GMT'), 0, 'a date in the past means no wait')
  assert.equal(waitMs('Fri, 01 Mar 2030 12:00:00 GMT'), maxMs)
})

test("a date is relative to the sender's clock", () => {
  assert.equal(waitMs('Sun, 01 Mar 2026 13:00:30 GMT', 'Sun, 01 Mar 2026 13:00:00 GMT'), 30_000)
  assert.equal(waitMs('Sun, 01 Mar 2026 12:05:00 GMT', 'nonsense'), 300_000)
})

test('without a local clock a date is relative to the Date header only', () => {
  const date = 'Sun, 01 Mar 2026 12:05:00 GMT'
  assert.equal(retryAfterMs({ 'retry-after': date }, { maxMs, now: null }), null)
  const headers = { 'retry-after': date, date: 'Sun, 01 Mar 2026 12:00:00 GMT' }
  assert.equal(retryAfterMs(headers, { maxMs, now: null }), 300_000)
  for (const value of ['-5', '1.5', 'soon'])
    assert.equal(retryAfterMs({ ...headers, 'retry-after': value }, { maxMs, now: null }), null, value)
})

test('any value that is neither seconds nor a date is ignored', () => {
  for (const value of [
    '',
    ' ',
    '-5',
    '-0',
    '1.5',
    '+3',
    '1e9',
    '0x10',
    '٣',
    'soon',
    '2026-03-01T12:05:00Z',
    '5, 6',
    'Sun, 99 Foo 2026 12:05:00 GMT',
    'Sun, 31 Feb 2026 12:05:00 GMT',
    'Sun, 01 Mar 2026 24:00:00 GMT',
    'Sun, 01 Mar 2026 12:60:00 GMT',
    'Sun, 01 Mar 2026 12:05:00 CET',
    'sun, 01 mar 2026 12:05:00 gmt',
  ]) {
    assert.equal(waitMs(value), null, JSON.stringify(value))
  }
  assert.equal(retryAfterMs({}, { maxMs, now }), null)
})

test('a two-digit year is at most 50 years ahead', () => {
  assert.equal(httpDateMs('Sunday, 06-Nov-94 08:49:37 GMT', now.getTime()), Date.UTC(1994, 10, 6, 8, 49, 37))
  assert.equal(httpDateMs('Sunday, 06-Nov-76 08:49:37 GMT', now.getTime()), Date.UTC(2076, 10, 6, 8, 49, 37))
})

const anyDate = fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })

test('every instant written as an HTTP-date is parsed to the second', () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const seconds = Math.floor(date.getTime() / 1000) * 1000
      const text = new Date(seconds).toUTCString()
      assert.equal(httpDateMs(text, now.getTime()), seconds, text)
      const [name = '', day = '', month = '', year = '', time = ''] = text.replace(',', '').split(' ')
      const asctime = `${name} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
      assert.equal(httpDateMs(asctime, now.getTime()), seconds, asctime)
    }),
  )
})

test('any number of seconds is the wait, up to the maximum', () => {
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      assert.equal(waitMs(String(seconds)), Math.min(seconds * 1000, maxMs))
      assert.equal(waitMs(String(-1 - seconds)), null)
    }),
  )
})

test('the wait is from 0 to the maximum, or null, for any header', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.integer().map(String),
        fc.double().map(String),
        fc.date().map((date) => date.toUTCString()),
        fc.date().map(String),
      ),
      fc.option(
        fc.oneof(
          fc.string(),
          anyDate.map((date) => date.toUTCString()),
        ),
        { nil: undefined },
      ),
      (value, date) => {
        const ms = waitMs(value, date)
        assert.ok(ms === null || (ms >= 0 && ms <= maxMs), `${value}: ${ms}`)
      },
    ),
  )
})
