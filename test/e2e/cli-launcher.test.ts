import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import MALLOC from '../../src/runtime/malloc.json' with { type: 'json' }
import NODE_OPTIONS from '../../src/runtime/node-options.json' with { type: 'json' }
import { collected } from '../support/collected.ts'
import { until } from '../support/until.ts'

const RADAR = resolve(import.meta.dirname, '../../bin/radar')
const RUN = resolve(import.meta.dirname, '../../scripts/run.js')
/** Simulates an older Node, so that bin/radar starts the one from the packages. */
const OLDER_NODE = 'data:text/javascript,Object.defineProperty(process, "version", { value: "v20.0.0" })'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** `radar serve` by this Node or a copy of it, once it listens. */
async function serve(
  environment: Readonly<Record<string, string>>,
  withChannel = false,
  node: readonly [string, ...string[]] = [process.execPath, '--no-deprecation'],
) {
  const folder = mkdtempSync(join(tmpdir(), 'radar-launcher-'))
  folders.push(folder)
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:RADAR|MALLOC)_|^NODE_OPTIONS$/.test(name),
  )
  const [program, ...options] = node
  const service = spawn(program, [...options, RADAR, 'serve'], {
    env: { ...Object.fromEntries(inherited), ...environment, RADAR_PORT: '0', RADAR_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe', ...(withChannel ? (['ipc'] as const) : [])],
  })
  const out = collected(service.stdout)
  await until('the service listened', () => /"url":"(http:[^"]+)"/.exec(out())?.[1])
  const pid = service.pid ?? 0
  const malloc = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  return {
    service,
    command: commandOf(pid),
    malloc: Object.fromEntries(
      malloc.flatMap((line) => (line.startsWith('MALLOC_') ? [line.split('=')] : [])),
    ),
    children: childrenOf(pid),
    err: collected(service.stderr),
    [Symbol.dispose]: () => endHard(pid),
  }
}

type Launched = { readonly launcher: ChildProcess; readonly url: string; readonly servicePid: number }

async function launch(): Promise<Launched> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-launcher-'))
  folders.push(folder)
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('RADAR_'))
  const launcher = spawn(process.execPath, ['--import', OLDER_NODE, RADAR, 'serve'], {
    env: { ...Object.fromEntries(inherited), RADAR_PORT: '0', RADAR_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const out = collected(launcher.stdout)
  const url = await until('the service listened', () => /"url":"(http:[^"]+)"/.exec(out())?.[1])
  const [servicePid] = childrenOf(launcher.pid ?? 0).filter((pid) => commandOf(pid).includes('serve'))
  assert.ok(servicePid !== undefined, 'the launcher has a child that serves')
  return { launcher, url, servicePid }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
}

/** Null once the process has exited, even as a zombie. */
function stateOf(pid: number): string | null {
  try {
    const state = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? null
    return state === 'Z' ? null : state
  } catch {
    return null
  }
}

function endHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

const onLinux = { skip: process.platform !== 'linux' && 'reads /proc' }

test('the service of a killed launcher exits, even if suspended', onLinux, async () => {
  for (const stopped of [false, true]) {
    const { launcher, url, servicePid } = await launch()
    try {
      if (stopped) {
        process.kill(servicePid, 'SIGSTOP')
        await until('the service is suspended', () => stateOf(servicePid) === 'T')
      }
      launcher.kill('SIGKILL')
      await until('the service has ended', () => stateOf(servicePid) === null)
      await assert.rejects(fetch(`${url}/healthz`), 'its port is closed')
    } finally {
      endHard(launcher.pid ?? 0)
      endHard(servicePid)
    }
  }
})

test(
  'after a stop signal, the launcher exits with the status of its service and leaves no process behind',
  onLinux,
  async () => {
    const { launcher, servicePid } = await launch()
    try {
      const children = childrenOf(launcher.pid ?? 0)
      launcher.kill('SIGTERM')
      assert.deepEqual(await once(launcher, 'exit'), [0, null])
      await until('all its children have ended', () => children.every((pid) => stateOf(pid) === null))
    } finally {
      endHard(servicePid)
    }
  },
)

test(
  'a service that Node 24 starts gets the options of Node and the settings of malloc in the same process',
  onLinux,
  async () => {
    using started = await serve({})
    assert.match(
      started.command,
      new RegExp(`^\\S+ --no-deprecation ${NODE_OPTIONS.join(' ')} ${RADAR} serve`),
    )
    assert.deepEqual(started.malloc, MALLOC)
    assert.deepEqual(started.children, [])
    assert.equal(started.err(), '')
    started.service.kill('SIGTERM')
    assert.deepEqual(await once(started.service, 'exit'), [0, null])
  },
)

test('options of Node and settings of malloc that are given stay', onLinux, async () => {
  using started = await serve({ NODE_OPTIONS: '--max_semi_space_size=8', MALLOC_ARENA_MAX: '1' })
  assert.match(started.command, new RegExp(`^\\S+ --no-deprecation --expose-gc ${RADAR} serve`))
  assert.deepEqual(started.malloc, { ...MALLOC, MALLOC_ARENA_MAX: '1' })
})

test('a service with a channel to its parent keeps it', onLinux, async () => {
  using started = await serve({}, true)
  assert.match(started.command, new RegExp(`^\\S+ --no-deprecation ${RADAR} serve`))
  assert.ok(started.service.connected)
})

test('a service starts although its Node was removed from the disk', onLinux, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-launcher-'))
  folders.push(folder)
  const copy = join(folder, 'node')
  copyFileSync(process.execPath, copy)
  const removal = `data:text/javascript,import fs from 'node:fs'; fs.rmSync(process.execPath)`
  using started = await serve({}, false, [copy, '--import', removal])
  assert.ok(!existsSync(copy))
  assert.deepEqual(started.malloc, {})
})

test('the scripts of package.json run the Node of the packages where the machine has an older one', () => {
  const print = 'console.log(process.version, child_process.execSync("node --version").toString().trim())'
  const run = (code: string) =>
    spawnSync(process.execPath, ['--import', OLDER_NODE, RUN, '-e', code], { encoding: 'utf8' })
  assert.equal(run(print).stdout.trim(), `${process.version} ${process.version}`)
  assert.equal(run('process.exit(3)').status, 3)
  assert.equal(run('process.kill(process.pid, "SIGTERM")').signal, 'SIGTERM')
})

test('every script of package.json starts Node through the file that finds the right one', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(RADAR, '../../package.json'), 'utf8'))
  const starts = Object.values<string>(scripts).flatMap((script) =>
    script.split(' && ').filter((each) => each.startsWith('node ')),
  )
  assert.ok(starts.length > 20)
  assert.deepEqual(
    starts.filter((each) => !/^node (?:scripts\/run\.js |(?:--\S+ )*bin\/radar )/.test(each)),
    [],
  )
})
