import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './pino-log.ts'

function logged(level: 'debug' | 'info' | 'silent') {
  const lines: Record<string, unknown>[] = []
  const log = createLog(level, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

test('a line is JSON with the time, the level, the event and its fields', () => {
  const { log, lines } = logged('info')
  log.info('delivery.attempted', { took_ms: 12 })
  const [line] = lines
  assert.deepEqual(Object.keys(line ?? {}), ['level', 'time', 'took_ms', 'event'])
  assert.deepEqual([line?.level, line?.event, line?.took_ms], ['info', 'delivery.attempted', 12])
  assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT/)
})

test('an error is logged with its message and where it came from', () => {
  const { log, lines } = logged('info')
  log.error('api.failed', { error: new Error('out of cheese') })
  const error = lines[0]?.error as { message: string; stack: string }
  assert.equal(error.message, 'out of cheese')
  assert.match(error.stack, /pino-log\.test/)
})

test('secrets that slip into a line are masked', () => {
  const { log, lines } = logged('info')
  log.info('x', { secret: 'whsec_1', hook: { token: 'rsk_1' }, headers: { authorization: 'Bearer rsk_1' } })
  assert.ok(!JSON.stringify(lines).includes('_1'))
})

test('lines below the level are left out', () => {
  const { log, lines } = logged('info')
  log.debug('x')
  logged('silent').log.error('x')
  assert.deepEqual(lines, [])
})
