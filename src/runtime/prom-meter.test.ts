import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METRICS } from './meter.ts'
import { createPromMeter } from './prom-meter.ts'

test('every metric of the pipeline is present under its prefixed name', async () => {
  const { text } = await createPromMeter(async () => []).scrape()
  for (const name of Object.keys(METRICS)) assert.match(text, new RegExp(`^# TYPE radar_${name} `, 'm'))
})

test('counted and observed values are exported', async () => {
  const { meter, scrape } = createPromMeter(async () => [])
  meter.count('attempts_total', { result: 'failed', reason: 'dns' })
  meter.count('attempts_total', { result: 'failed', reason: 'dns' }, 2)
  meter.observe('attempt_seconds', { result: 'accepted' }, 0.2)
  const { text } = await scrape()
  assert.match(text, /^radar_attempts_total\{result="failed",reason="dns"\} 3$/m)
  assert.match(text, /^radar_attempt_seconds_bucket\{le="0\.25",result="accepted"\} 1$/m)
})

test('gauges have their current values, and removed ones disappear', async () => {
  let values = [{ labels: { state: 'dead' }, value: 3 }]
  const { scrape } = createPromMeter(async () => [{ name: 'queue_depth', help: 'h', values }])
  assert.match((await scrape()).text, /^radar_queue_depth\{state="dead"\} 3$/m)
  values = [{ labels: { state: 'pending' }, value: 1 }]
  const { text } = await scrape()
  assert.match(text, /^radar_queue_depth\{state="pending"\} 1$/m)
  assert.doesNotMatch(text, /state="dead"/)
})

test('counters are exported even if the gauges cannot be read', async () => {
  const { meter, scrape } = createPromMeter(() => Promise.reject(new Error('no database')))
  meter.count('events_total', {})
  assert.match((await scrape()).text, /^radar_events_total 1$/m)
})
