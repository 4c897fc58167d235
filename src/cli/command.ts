import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The input and output of a command: its result goes to `out`, everything else to `err`. */
export type Io = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Resolves when the reader of `out` has caught up, so that a long output does not accumulate in memory. */
  readonly drained: () => Promise<void>
  /** Asks for confirmation on the terminal; null without a terminal. */
  readonly confirm: (question: string) => Promise<boolean | null>
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type Option = {
  /** Shown in place of the value, e.g. `ID`; absent for a switch. */
  readonly value?: string
  /** All possible values, which a shell completes. */
  readonly choices?: readonly string[]
  /** One letter, e.g. `f` for `-f`. */
  readonly short?: string
  readonly required?: boolean
  readonly help: string
}

export type Arguments = {
  /** The option's value; undefined when it was not given. */
  readonly option: (name: string) => string | undefined
  readonly isOn: (name: string) => boolean
  readonly positionals: readonly string[]
}

export type Command = {
  /** What the command does and prints, in a paragraph. */
  readonly about: string
  /** By name, without the dashes. */
  readonly options: Readonly<Record<string, Option>>
  /** Names of the positional arguments, e.g. `FILE`; a name that ends in `...` accepts any number. */
  readonly positionals?: readonly string[]
  /** Added to the error about an unknown id: how to find the right one. */
  readonly hint?: string
  /** 0 done, 1 failed. Throws `UsageError` and `CommandFailed`. */
  readonly run: (io: Io, args: Arguments) => Promise<number>
}

/** A command in `COMMANDS`. Its code is loaded when it is called. */
export type CommandEntry = { readonly summary: string; readonly load: () => Promise<Command> }

/** Wrong usage: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed: exit status 1. The message says what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Parses the arguments of a command. Throws `UsageError`. */
export function parseArguments(command: Command, words: readonly string[]): Arguments {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, { value, short }] of Object.entries(command.options)) {
    options[name] = {
      type: value === undefined ? 'boolean' : 'string',
      ...(short !== undefined && { short }),
    }
  }
  const { values, positionals } = parsed(words, options)
  const absent = Object.entries(command.options)
    .filter(([name, { required }]) => required && values[name] === undefined)
    .map(([name, { value = '' }]) => `--${name} ${value}`)
  if (absent.length > 0)
    throw new UsageError(`${absent.join(' and ')} ${absent.length === 1 ? 'is' : 'are'} required.`)
  const wanted = command.positionals ?? []
  const isVariadic = wanted.at(-1)?.endsWith('...') ?? false
  const missing = wanted[positionals.length]
  if (missing !== undefined && !missing.endsWith('...')) throw new UsageError(`${missing} is missing.`)
  const unexpected = positionals[wanted.length]
  if (unexpected !== undefined && !isVariadic)
    throw new UsageError(`"${unexpected}" is an unexpected argument.`)
  return {
    option: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    isOn: (name) => values[name] === true,
    positionals,
  }
}

function parsed(words: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    // Only the first sentence of the message names the error. The others explain values with dashes.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`)
  }
}

/** An option as a whole number from `min` to `max`; undefined when it was not given. Throws `UsageError`. */
export function numberOption(args: Arguments, name: string, min: number, max: number): number | undefined {
  const text = args.option(name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}

/** An option as a number from `min` to `max`; undefined when it was not given. Throws `UsageError`. */
export function decimalOption(args: Arguments, name: string, min: number, max: number): number | undefined {
  const text = args.option(name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`--${name} must be a number from ${min} to ${max}, not "${text}".`)
}

/** An option as one of `allowed`; undefined when it was not given. Throws `UsageError`. */
export function choiceOption<const T extends readonly string[]>(
  args: Arguments,
  name: string,
  allowed: T,
): T[number] | undefined {
  const text = args.option(name)
  const value = allowed.find((each) => each === text)
  if (text === undefined || value !== undefined) return value
  throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not "${text}".`)
}

/** The output of `radar <name> --help`. */
export function helpOf(name: string, command: Command): string {
  const entries = Object.entries(command.options)
  const words = entries.map(([option, { value, required }]) => {
    const shown = `--${option}${value === undefined ? '' : ` ${value}`}`
    return required ? shown : `[${shown}]`
  })
  const usage = ['radar', name, ...words, ...(command.positionals ?? [])].join(' ')
  const lines = entries.map(([option, { value, short, help }]) => {
    const names = `${short === undefined ? '' : `-${short}, `}--${option}`
    return `  ${`${names} ${value ?? ''}`.padEnd(26)}${help}\n`
  })
  return `usage: ${usage}\n\n${command.about}\n${lines.length > 0 ? `\n${lines.join('')}` : ''}`
}
