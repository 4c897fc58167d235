import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { collected } from './collected.ts'
import { until } from './until.ts'

/** Calls that reach other programs, and calls that change files. A machine has only some of the latter, hence the question marks. */
const CALLS = [
  'connect,sendto,sendmsg,sendmmsg',
  '?open,openat,openat2,?creat,?mkdir,mkdirat,?mknod,mknodat,?rename,renameat,?renameat2,?link,linkat,?symlink,symlinkat',
  '?unlink,unlinkat,?rmdir,truncate',
].join()
const WRITES = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/
const DNS_PORT = 53
const DNS_HEADER_BYTES = 12

/** Where no program can be traced, a test that traces is skipped for this reason. In CI it runs, and fails there. */
export const UNTRACEABLE =
  spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0 || process.env.CI === 'true'
    ? false
    : 'strace is not installed, or may not trace here'

export type Trace = {
  /** Names that were looked up, and addresses other than loopback that were called. */
  readonly contacts: readonly string[]
  /** Absolute paths of files and folders that were opened for writing, created, renamed or removed. */
  readonly written: readonly string[]
}

export type TracedProcess = Disposable & {
  readonly process: ChildProcess
  /** A folder for everything that a user has: home, settings, caches, temporary files. Empty at the start. */
  readonly folder: string
  readonly out: () => string
  readonly err: () => string
  /** Waits for the end of the process. */
  readonly trace: () => Promise<Trace>
}

/** Starts Node as a new user would, in an environment with nothing but these settings. The caller ends it. */
export function startTraced(
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): TracedProcess {
  const folder = mkdtempSync(join(tmpdir(), 'radar-traced-'))
  const inFolder = (name: string) => {
    mkdirSync(join(folder, 'user', name), { recursive: true })
    return join(folder, 'user', name)
  }
  const records = join(folder, 'records')
  mkdirSync(records)
  // One file per thread. The tracer is detached, so the child process is the program itself.
  const options = ['-D', '-f', '-ff', '-q', '-y', '-xx', '-s', '4096', '--seccomp-bpf']
  const traced = [...options, '-o', join(records, 'of'), '-e', `trace=${CALLS}`, '-e', 'signal=none']
  const child = spawn('strace', [...traced, process.execPath, ...words], {
    cwd: inFolder('cwd'),
    env: {
      PATH: process.env.PATH,
      HOME: inFolder('home'),
      TMPDIR: inFolder('tmp'),
      XDG_CACHE_HOME: inFolder('cache'),
      XDG_CONFIG_HOME: inFolder('config'),
      XDG_DATA_HOME: inFolder('data'),
      XDG_STATE_HOME: inFolder('state'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  return {
    process: child,
    folder: join(folder, 'user'),
    out: collected(child.stdout),
    err: collected(child.stderr),
    async trace() {
      await closed
      const files = () => readdirSync(records).map((name) => readFileSync(join(records, name), 'latin1'))
      await until('strace has written its last line', () => files().every((text) => /\+\+\+.*\n$/.test(text)))
      return traceOf(files().flatMap((text) => text.split('\n')))
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Reads lines of strace with all strings in hexadecimal. */
function traceOf(lines: readonly string[]): Trace {
  const contacts = new Set<string>()
  const written = new Set<string>()
  for (const line of lines) {
    const call = line.slice(0, line.indexOf('('))
    if (/^(?:connect|send)/.test(call)) for (const contact of contactsOf(line)) contacts.add(contact)
    else if (call !== '' && !line.includes(') = -1 ') && (!call.startsWith('open') || WRITES.test(line)))
      for (const path of pathsOf(line)) written.add(path)
  }
  return { contacts: [...contacts].sort(), written: [...written].sort() }
}

function contactsOf(line: string): string[] {
  const [, socket] = /sun_path=@?"((?:\\x..)+)"/.exec(line) ?? []
  if (socket !== undefined) return line.includes(' = -1 ENOENT') ? [] : [textOf(socket)]
  const port = Number(/sin6?_port=htons\((\d+)\)/.exec(line)?.[1] ?? DNS_PORT)
  const [, quoted = ''] = /inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/.exec(line) ?? []
  const address = quoted.startsWith('\\x') ? textOf(quoted) : quoted
  const queries = [...line.matchAll(/"((?:\\x..)+)"/g)].flatMap(
    ([, text = '']) => nameIn(bytesOf(text)) ?? [],
  )
  if (isIP(address) === 0 || (isLoopback(address) && port !== DNS_PORT)) return queries
  return [...queries, `${address} port ${port}`]
}

/** The name in a DNS query; null if the bytes are something else. */
function nameIn(bytes: Buffer): string | null {
  // One question, no answer: anything that a service sends has text in these places.
  if (bytes.length <= DNS_HEADER_BYTES || bytes.readUInt32BE(4) !== 0x1_0000) return null
  const labels: string[] = []
  for (let at = DNS_HEADER_BYTES; (bytes[at] ?? 0) > 0; at += (bytes[at] ?? 0) + 1)
    labels.push(bytes.toString('latin1', at + 1, at + 1 + (bytes[at] ?? 0)))
  return labels.join('.')
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\./.test(address) || address === '::1'
}

/** A relative path is resolved against the folder that strace names before it. */
function pathsOf(line: string): string[] {
  return [...line.matchAll(/(?:<((?:\\x..)*)>, )?"((?:\\x..)*)"/g)].map(([, folder = '', path = '']) =>
    resolve(textOf(folder), textOf(path)),
  )
}

function textOf(hexadecimal: string): string {
  return bytesOf(hexadecimal).toString('utf8')
}

function bytesOf(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal.replaceAll('\\x', ''), 'hex')
}
