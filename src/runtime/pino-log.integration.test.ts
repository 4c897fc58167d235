import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
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

test('an error is logged with its message and stack', () => {
  const { log, lines } = logged('info')
  log.error('api.failed', { error: new Error('out of range') })
  const error = lines[0]?.error as { message: string; stack: string }
  assert.equal(error.message, 'out of range')
  assert.match(error.stack, /pino-log\.integration\.test/)
})

test('secrets in a line are masked', () => {
  const { log, lines } = logged('info')
  log.info('x', { secret: 'whsec_1', hook: { token: 'rsk_1' }, headers: { authorization: 'Bearer rsk_1' } })
  assert.ok(!JSON.stringify(lines).includes('_1'))
})

test('lines below the level are omitted', () => {
  const { log, lines } = logged('info')
  log.debug('x')
  logged('silent').log.error('x')
  assert.deepEqual(lines, [])
})

/** The standard output of a separate process that runs `code`. */
async function printed(code: string): Promise<string[]> {
  const module = JSON.stringify(new URL('./pino-log.ts', import.meta.url).href)
  const program = `import(${module}).then(({ createLog }) => { const log = createLog('info'); ${code} })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = (await text(child.stdout)).trim().split('\n')
  return lines.map((line) => (line === '' ? '' : JSON.parse(line).event))
}

test('an error is written at once with the lines before it', async () => {
  const kill = "process.kill(process.pid, 'SIGKILL')"
  assert.deepEqual(await printed(`log.info('before'); log.error('failed'); ${kill}`), ['before', 'failed'])
})

test('a process that exits during a turn writes all its lines', async () => {
  assert.deepEqual(await printed("log.info('last'); process.exit(1)"), ['last'])
  assert.deepEqual(await printed("log.info('last'); process.exitCode = 1"), ['last'])
})
