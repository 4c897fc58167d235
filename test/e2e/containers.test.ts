import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { collected } from '../support/collected.ts'
import { until } from '../support/until.ts'

/** What hardened containers take away, made with the tools of Linux. Docker's own default profile filters system calls too. */

const RADAR = resolve(import.meta.dirname, '../../bin/radar')
const WITHOUT_EXECVE = resolve(import.meta.dirname, '../support/container/without-execve.py')
/** No user and no group has it. */
const UID = 54_321

const parent = mkdtempSync('/var/tmp/radar-container-')
after(() => rmSync(parent, { recursive: true }))
chmodSync(parent, 0o755)

function skipUnless(program: string, ...words: string[]): string | false {
  if (process.env.CI === 'true' || spawnSync(program, words).status === 0) return false
  return `this machine does not allow ${[program, ...words].join(' ')}`
}

const AS_UNKNOWN_USER = ['setpriv', '--reuid', String(UID), '--regid', String(UID), '--clear-groups']

function isReadable(): boolean {
  const [program = '', ...words] = AS_UNKNOWN_USER
  return spawnSync(program, [...words, process.execPath, RADAR, '--version']).status === 0
}

function dataFolder(owner = 0): string {
  const folder = mkdtempSync(join(parent, 'data-'))
  if (owner !== 0) chownSync(folder, owner, owner)
  return folder
}

/** Runs `radar serve` by these words with only these variables until it is ready, or until it ends. Returns its output. */
async function serve(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const child = spawn(program, [...words, process.execPath, RADAR, 'serve'], {
    env: { PATH: process.env.PATH, RADAR_PORT: '0', RADAR_ENRICHMENT: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out = collected(child.stdout, child.stderr)
  const ended = once(child, 'exit')
  try {
    await until('the service is ready or has ended', async () => {
      if (child.exitCode !== null || child.signalCode !== null) return true
      const [, url] = /"url":"(http:[^"]+)"/.exec(out()) ?? []
      return url !== undefined && (await fetch(`${url}/readyz`)).status === 200
    })
    return { isReady: child.exitCode === null && child.signalCode === null, out: out() }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

describe('the service in a hardened container', () => {
  it('the service in a hardened container that forbids to start programs runs without its options of Node', {
    skip: skipUnless('python3', '--version'),
  }, async () => {
    const { isReady, out } = await serve('python3', [WITHOUT_EXECVE], { RADAR_DATA_DIR: dataFolder() })
    assert.ok(isReady, out)
  })

  it('the service in a hardened container needs no passwd entry and no writable HOME, and writes only to its data folder', {
    skip:
      skipUnless('unshare', '-m', 'setpriv', '--reuid', String(UID), 'true') ||
      (isReadable() ? false : 'other users of this machine cannot read this checkout'),
  }, async () => {
    const script =
      'mount -t tmpfs -o noexec,mode=1777 tmpfs "$1" && mount --bind "$0" "$0" && mount -o remount,ro,bind / && shift && exec "$@"'
    const [folder, temporary] = [dataFolder(UID), dataFolder()]
    const words = ['-m', 'sh', '-c', script, folder, temporary, ...AS_UNKNOWN_USER]
    const settings = { RADAR_DATA_DIR: folder, TMPDIR: temporary }
    const variants: Record<string, string>[] = [{}, { HOME: '/', RADAR_ENRICHMENT: 'offline' }]
    for (const more of variants) {
      const { isReady, out } = await serve('unshare', words, { ...settings, ...more })
      assert.ok(isReady, out)
    }
    const refused = await serve('unshare', words, { RADAR_DATA_DIR: '/nowhere/data', HOME: '/nowhere' })
    assert.equal(refused.isReady, false)
    assert.match(refused.out, /^radar serve: [^\n]*\/nowhere[^\n]*\.\n$/)
  })
})
