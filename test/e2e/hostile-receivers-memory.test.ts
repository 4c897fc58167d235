import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { newSecret } from '../../src/model/signature.ts'
import { attempt } from '../../src/pipeline/send/attempt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openLocal } from '../support/local-egress.ts'

const CONCURRENT = 64
/**
 * Only a limit on the size of a response may end an attempt here, so the timeout must not: 64 endless headers at once
 * take seconds on a busy machine. A later timeout makes the test stricter, since a receiver can send more before it.
 */
const TIMEOUT_MS = 60_000
/** Two megabytes per attempt: far more than the stored part of a response, and far less than a receiver here can send. */
const GROWTH_BYTES_MAX = CONCURRENT * 2 * 1024 * 1024

/** Receivers that send as much as they can. They run in separate processes, so that only the sender's memory is measured. */
const FLOODING = [
  'endless-chunks',
  'endless-length',
  'chunks-of-one-byte',
  'gzip-bomb-of-50-mib',
  'headers-without-end',
  'announces-102-forever',
]

for (const name of FLOODING) {
  test(`${CONCURRENT} concurrent attempts at ${name} use bounded memory`, async () => {
    const child = spawn(
      process.execPath,
      [new URL('../support/receivers/serve.ts', import.meta.url).pathname, name],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await using egress = openLocal()
    try {
      const [line] = await once(child.stdout, 'data')
      const targetUrl = String(line).trim()
      const make = () =>
        attempt(
          { egress, clock: systemClock, userAgent: 'ReviewRadar/test' },
          { eventId: 'e'.repeat(64), targetUrl, body: '{}', secrets: [newSecret()], number: 1 },
          TIMEOUT_MS,
        )
      resetPeak()
      const before = process.memoryUsage.rss()
      const records = await Promise.all(Array.from({ length: CONCURRENT }, make))
      const growth = peakBytes() - before
      const reasons = records.map(({ attempt: record }) => record.reason)
      assert.ok(
        reasons.every((reason) => !reason?.startsWith('timeout')),
        `ended with ${[...new Set(reasons)]}`,
      )
      assert.ok(growth <= GROWTH_BYTES_MAX, `${Math.round(growth / 1024)} KiB`)
    } finally {
      child.kill()
    }
  })
}

const IS_LINUX = process.platform === 'linux'

/** Forgets the memory that earlier tests of this process needed (proc_pid_clear_refs(5)). */
function resetPeak(): void {
  if (IS_LINUX) writeFileSync('/proc/self/clear_refs', '5')
}

/** The peak memory of this process, measured by the system even while the event loop is blocked. */
function peakBytes(): number {
  if (!IS_LINUX) return process.resourceUsage().maxRSS * 1024
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}
