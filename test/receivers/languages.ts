import { execFile, execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const EXAMPLES = resolve(import.meta.dirname, '../../examples/receivers')
const HERE = import.meta.dirname

/** How a receiver is started. Its settings are in the environment. */
export type Started = { readonly file: string; readonly arguments: readonly string[] }

export type Language = {
  readonly name: string
  /** A program that says its version, and the first version that is enough: major and minor. */
  readonly probe: readonly [file: string, argument: string]
  readonly versionMin: readonly [number, number]
  /** `folder` is for what is built; it is removed afterwards. */
  readonly start: (folder: string, port: number) => Started | Promise<Started>
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Node',
    probe: [process.execPath, '--version'],
    versionMin: [20, 0],
    start: () => ({ file: process.execPath, arguments: [join(EXAMPLES, 'node/receiver.mjs')] }),
  },
  {
    name: 'Python',
    probe: ['python3', '--version'],
    versionMin: [3, 9],
    start: () => ({ file: 'python3', arguments: [join(EXAMPLES, 'python/receiver.py')] }),
  },
  {
    name: 'Go',
    probe: ['go', 'version'],
    versionMin: [1, 21],
    start: async (folder) => {
      const program = join(folder, 'receiver')
      // Without a network: another version of Go is not fetched. Its first build takes a minute of processor time.
      const options = {
        cwd: join(EXAMPLES, 'go'),
        env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' },
      }
      await promisify(execFile)('go', ['build', '-o', program, '.'], options)
      return { file: program, arguments: [] }
    },
  },
  {
    name: 'Java',
    probe: ['java', '--version'],
    versionMin: [17, 0],
    start: () => ({ file: 'java', arguments: [join(EXAMPLES, 'java/Receiver.java')] }),
  },
  {
    name: 'Ruby',
    probe: ['ruby', '--version'],
    versionMin: [3, 0],
    start: () => ({
      file: 'ruby',
      arguments: [join(HERE, 'rack-host.rb'), join(EXAMPLES, 'ruby/config.ru')],
    }),
  },
  {
    name: 'PHP',
    probe: ['php', '--version'],
    versionMin: [8, 1],
    start: (_folder, port) => ({
      file: 'php',
      arguments: ['-S', `127.0.0.1:${port}`, join(EXAMPLES, 'php/receiver.php')],
    }),
  },
  {
    name: 'shell',
    probe: ['openssl', 'version'],
    versionMin: [1, 1],
    start: () => ({
      file: process.execPath,
      arguments: [join(HERE, 'cgi-host.ts'), join(EXAMPLES, 'shell/receiver.sh')],
    }),
  },
]

/** Why a language cannot be run here; false when it can. */
export function missing({ probe: [file, argument], versionMin: [major, minor] }: Language): string | false {
  let output: string
  try {
    output = execFileSync(file, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return `${file} is not installed here`
  }
  const [, one, two] = /(\d+)\.(\d+)/.exec(output)?.map(Number) ?? []
  const isEnough = one !== undefined && two !== undefined && (one > major || (one === major && two >= minor))
  return isEnough ? false : `${file} is older than ${major}.${minor}`
}
