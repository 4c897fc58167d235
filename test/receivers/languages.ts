import { execFile, execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const EXAMPLES = resolve(import.meta.dirname, '../../examples/receivers')
const HERE = import.meta.dirname

/** The command that starts a receiver. Its settings are in the environment. */
export type StartCommand = { readonly file: string; readonly arguments: readonly string[] }

export type Language = {
  readonly name: string
  /** A command that prints the version. */
  readonly probe: readonly [file: string, argument: string]
  readonly versionMin: readonly [major: number, minor: number]
  /** `folder` is for build output and is deleted afterwards. */
  readonly start: (folder: string, port: number) => StartCommand | Promise<StartCommand>
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
      // Do not download another version of Go. The first build takes a minute of CPU time.
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

/** The reason why a language cannot run here, or false if it can. */
export function missing({ probe: [file, argument], versionMin: [major, minor] }: Language): string | false {
  let output: string
  try {
    output = execFileSync(file, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return `${file} is not installed here`
  }
  const [, one, two] = /(\d+)\.(\d+)/.exec(output)?.map(Number) ?? []
  const isSupported =
    one !== undefined && two !== undefined && (one > major || (one === major && two >= minor))
  return isSupported ? false : `${file} is older than ${major}.${minor}`
}
