import type { Option } from './command.ts'

/** The words that a shell completes: every command with its options. */
export type Words = readonly {
  /** One word, or two such as `dead list`. */
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionWord[]
}[]

type OptionWord = Pick<Option, 'value' | 'choices' | 'help'> & { readonly option: string }

/** A script for bash: `source <(radar completion bash)`. */
export function bashCompletion(words: Words): string {
  const cases = nodesOf(words).map(
    (node) =>
      `    ${patternOf(node)}) words=${quoted(node.described.map(({ word }) => word).join(' '))} ;;\n`,
  )
  const values = valuesOf(words).map(({ pattern, choices, isFile }) =>
    choices
      ? `    ${pattern}) words=${quoted(choices.join(' '))} ;;\n`
      : `    ${pattern}) COMPREPLY=(); ${isFile ? '' : 'compopt +o default 2>/dev/null; '}return ;;\n`,
  )
  return `_radar() {
  local previous=\${COMP_WORDS[COMP_CWORD-1]} word=\${COMP_WORDS[COMP_CWORD]} path= words= each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == -* ]] && break
    path="\${path:+$path }$each"
  done
  case "$path $previous" in
${values.join('')}    *) case $path in
${cases.join('')}    esac ;;
  esac
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else COMPREPLY=(); fi
}
complete -o default -F _radar radar
`
}

/** A script for zsh: `source <(radar completion zsh)`, after `compinit`. */
export function zshCompletion(words: Words): string {
  const cases = nodesOf(words).map(
    (node) =>
      `    ${patternOf(node)}) entries=(${node.described.map(({ word, help }) => quoted(`${word}:${help}`)).join(' ')}) ;;\n`,
  )
  const values = valuesOf(words).map(
    ({ pattern, choices, isFile }) =>
      `    ${pattern}) ${choices ? `compadd -- ${choices.join(' ')}; ` : isFile ? '_files; ' : ''}return ;;\n`,
  )
  return `#compdef radar
_radar() {
  local path_words= each
  local -a entries
  for each in \${words[2,CURRENT-1]}; do
    [[ $each == -* ]] && break
    path_words="\${path_words:+$path_words }$each"
  done
  case "$path_words \${words[CURRENT-1]}" in
${values.join('')}  esac
  case $path_words in
${cases.join('')}  esac
  if (( \${#entries} )); then _describe 'radar' entries; else _files; fi
}
compdef _radar radar
`
}

/** A script for fish: `radar completion fish | source`. */
export function fishCompletion(words: Words): string {
  const lines = nodesOf(words).flatMap(({ path, isCommand, described }) =>
    described.map(({ word, help, option }) => {
      const condition = `-n ${quoted(`__radar_${isCommand ? 'in' : 'at'} ${quoted(path)}`)}`
      const what = word.startsWith('--') ? `-l ${word.slice(2)}${fishValueOf(option)}` : `-a ${word}`
      return `complete -c radar ${condition} ${what} -d ${quoted(help)}\n`
    }),
  )
  return `function __radar_path
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a path $word
  end
  echo "$path"
end
function __radar_at
  test (__radar_path) = "$argv[1]"
end
function __radar_in
  string match -q -- "$argv[1] *" (__radar_path)" "
end
complete -c radar -f
${lines.join('')}`
}

/** Without it fish takes the option for a switch. */
function fishValueOf({ value, choices }: Partial<OptionWord> = {}): string {
  if (value === undefined) return ''
  if (choices) return ` -x -a ${quoted(choices.join(' '))}`
  return isFile(value) ? ' -r -F' : ' -x'
}

/** The options with a value: a pattern of the command's path and the option. */
function valuesOf(words: Words) {
  return words.flatMap(({ name, options }) =>
    options.flatMap(({ option, value, choices }) => {
      const pattern = `${quoted(`${name} --${option}`)} | ${quoted(`${name} `)}*${quoted(` --${option}`)}`
      return value === undefined ? [] : [{ pattern, choices, isFile: isFile(value) }]
    }),
  )
}

function isFile(value: string): boolean {
  return value === 'FILE' || value === 'FOLDER'
}

type Node = {
  /** The preceding words, e.g. `dead`; empty at the start. */
  readonly path: string
  /** Positional arguments, such as ids, may follow a command before its options. */
  readonly isCommand: boolean
  readonly described: readonly {
    readonly word: string
    readonly help: string
    readonly option?: OptionWord
  }[]
}

/** The nodes of an empty line, of each first word and of each command. */
function nodesOf(words: Words): Node[] {
  const first = new Map<string, string>([['help', 'Show the commands.']])
  const subcommands = new Map<string, Map<string, string>>()
  for (const { name, summary } of words) {
    const [one = '', two] = name.split(' ')
    if (!first.has(one)) first.set(one, two === undefined ? summary : `Commands for ${one}.`)
    if (two === undefined) continue
    const group = subcommands.get(one) ?? new Map<string, string>()
    subcommands.set(one, group.set(two, summary))
  }
  const commands = words.map(({ name, options }) =>
    nodeOf(name, true, [
      ...options.map((each) => [`--${each.option}`, each.help, each] as const),
      ['--help', 'Show the usage.'],
    ]),
  )
  return [
    nodeOf('', false, first),
    ...[...subcommands].map(([name, group]) => nodeOf(name, false, group)),
    ...commands,
  ]
}

function nodeOf(
  path: string,
  isCommand: boolean,
  entries: Iterable<readonly [string, string, OptionWord?]>,
): Node {
  return { path, isCommand, described: [...entries].map(([word, help, option]) => ({ word, help, option })) }
}

function patternOf({ path, isCommand }: Node): string {
  return isCommand ? `${quoted(path)} | ${quoted(`${path} `)}*` : quoted(path)
}

/** Quotes a text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
