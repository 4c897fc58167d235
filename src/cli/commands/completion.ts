import { type Command, type CommandEntry, UsageError } from '../command.ts'
import { bashCompletion, fishCompletion, type Words, zshCompletion } from '../completion.ts'

const SHELLS: Readonly<Record<string, (words: Words) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** The command that completes `commands`. */
export function completionOf(commands: Readonly<Record<string, CommandEntry>>): Command {
  return {
    about:
      'Prints a script that completes commands, options and their values in your shell. Load it in bash or zsh with: source <(radar completion bash). In fish: radar completion fish | source.',
    options: {},
    positionals: ['SHELL'],
    async run({ out }, { positionals: [shell = ''] }) {
      const scriptOf = SHELLS[shell]
      if (scriptOf === undefined)
        throw new UsageError(`SHELL must be one of ${Object.keys(SHELLS).join(', ')}, not "${shell}".`)
      out(scriptOf(await Promise.all(Object.entries(commands).map(wordsOf))))
      return 0
    },
  }
}

async function wordsOf([name, { summary, load }]: [string, CommandEntry]) {
  const { options } = await load()
  return {
    name,
    summary,
    options: Object.entries(options).map(([option, { value, choices, help }]) => ({
      option,
      value,
      choices,
      help,
    })),
  }
}
