import { ApiResponseError } from '../client/client.ts'
import { nearest } from '../model/nearest.ts'
import { trustAuthorities } from '../runtime/authorities.ts'
import { authoritiesOf } from '../service/config/config.ts'
import { isOperatorError } from '../service/operator-error.ts'
import { VERSION } from '../service/version.ts'
import { CommandFailed, helpOf, type Io, parseArguments, UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'
import { operationFailureOf } from './operation-failure.ts'
import { standardIo } from './standard-io.ts'

/**
 * Runs `radar <words>`. Exit status: 0 done, 1 failed, 2 wrong usage, 3 changes that `apply --plan` found. Prints errors to standard error,
 * with what to do.
 */
export async function runCommand(words: readonly string[], io: Io = standardIo()): Promise<number> {
  const [first] = words
  if (first === '--version' || first === '-v' || first === 'version') {
    io.out(`${VERSION}\n`)
    return 0
  }
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    const wanted = words.slice(1).join(' ')
    if (wanted !== '' && COMMANDS[wanted] !== undefined) return run(wanted, ['--help'], io)
    const print = first === undefined ? io.err : io.out
    print(overview())
    return first === undefined ? 2 : 0
  }
  const name = [words.slice(0, 2).join(' '), first].find((each) => COMMANDS[each] !== undefined)
  if (name === undefined) {
    io.err(`radar: ${unknown(first, words[1])}\n`)
    return 2
  }
  return run(name, words.slice(name.split(' ').length), io)
}

async function run(name: string, words: readonly string[], io: Io): Promise<number> {
  const command = await COMMANDS[name]?.load()
  if (command === undefined) throw new Error(`${name} is not a command`)
  if (words.includes('--help') || words.includes('-h')) {
    io.out(helpOf(name, command))
    return 0
  }
  try {
    const authorities = authoritiesOf(io.environment)
    if (authorities !== null) trustAuthorities(authorities)
    return await command.run(io, parseArguments(command, words))
  } catch (error) {
    const failure = operationFailureOf(error, command.hint)
    if (error instanceof UsageError || failure?.isUsage) {
      const sentence = failure?.sentence ?? (error as UsageError).message
      io.err(`radar ${name}: ${sentence} "radar ${name} --help" shows its usage.\n`)
      return 2
    }
    if (failure !== null) {
      io.err(`radar ${name}: ${failure.sentence}\n`)
      return 1
    }
    if (error instanceof CommandFailed || isOperatorError(error)) {
      const hint = isUnknownId(error.cause) && command.hint !== undefined ? ` ${command.hint}` : ''
      io.err(`radar ${name}: ${error.message}${hint}\n`)
    } else io.err(`radar ${name}: internal error: ${error instanceof Error ? error.stack : String(error)}\n`)
    return 1
  }
}

/** Whether the service of a remote command does not know the id. */
function isUnknownId(cause: unknown): boolean {
  return cause instanceof ApiResponseError && cause.status === 404 && cause.isFromApi
}

function unknown(first: string, second: string | undefined): string {
  const subcommands = Object.keys(COMMANDS)
    .filter((each) => each.startsWith(`${first} `))
    .map((each) => each.slice(first.length + 1))
  if (subcommands.length > 0) {
    const problem =
      second === undefined || second.startsWith('-')
        ? 'requires a subcommand'
        : `has no subcommand "${second}"`
    const meant = second === undefined ? null : nearest(second, subcommands)
    const hint = meant === null ? '' : ` Did you mean "radar ${first} ${meant}"?`
    return `"${first}" ${problem}. Its subcommands are: ${subcommands.join(', ')}.${hint}`
  }
  const meant = nearest(first, [...new Set(Object.keys(COMMANDS).map((name) => name.split(' ', 1)[0] ?? ''))])
  const hint = meant === null ? '' : ` Did you mean "radar ${meant}"?`
  return `there is no command "${first}".${hint} "radar help" lists them.`
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 2
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}\n`)
  return `usage: radar <command> [options]

Review Radar sends new App Store and Google Play reviews and rating drops to your programs as webhooks.

${lines.join('')}
"radar <command> --help" shows a command's options. Settings are environment variables: "radar config" shows them.
`
}
