import {
  type Macros,
  type Pattern,
  PhraseSyntaxError,
  parsePattern,
  type Step,
  simplify,
  type WordSteps,
} from './pattern.ts'

export type Section = { readonly name: string; readonly patterns: readonly Pattern[] }

/**
 * Reads a phrase table: `# comment`, `@list = a / b / c`, `[section]`, and below it phrases separated by commas or
 * line ends, or on its heading's own line. A section may come more than once. Throws PhraseSyntaxError naming file and line.
 */
export function parseTable(text: string, fileName: string, apostropheSplits: boolean): Section[] {
  const macros = new Map<string, Step>()
  const words: WordSteps = new Map()
  const sections = new Map<string, Pattern[]>()
  let current: Pattern[] | undefined
  text.split('\n').forEach((raw, index) => {
    const line = raw.replace(/#.*$/u, '').trim()
    if (line === '') return
    try {
      if (line.startsWith('@') && line.includes('=')) {
        addMacro(line, macros, apostropheSplits)
        return
      }
      const [, name, sameLine] = /^\[([a-z0-9_-]+)\](.*)$/.exec(line) ?? []
      if (name !== undefined) {
        current = sections.get(name) ?? []
        sections.set(name, current)
      }
      if (current === undefined) throw new PhraseSyntaxError('a phrase before the first [section]')
      for (const phrase of (sameLine ?? line).split(/[,、，]/u)) {
        if (phrase.trim() !== '') current.push(parsePattern(phrase.trim(), macros, apostropheSplits, words))
      }
    } catch (error) {
      if (!(error instanceof PhraseSyntaxError)) throw error
      throw new PhraseSyntaxError(`${fileName}:${index + 1}: ${error.message}`)
    }
  })
  return [...sections].map(([name, patterns]) => ({ name, patterns }))
}

function addMacro(line: string, macros: Macros & Map<string, Step>, apostropheSplits: boolean): void {
  const [, name, list] = /^@([a-z_]+)\s*=\s*(.+)$/u.exec(line) ?? []
  if (name === undefined || list === undefined) throw new PhraseSyntaxError(`cannot read "${line}"`)
  // The brackets make `a / b` the same as a choice inside a phrase.
  const [step] = parsePattern(`(${list})`, macros, apostropheSplits)
  if (step === undefined) throw new PhraseSyntaxError(`@${name} is empty`)
  macros.set(name, step.kind === 'choice' ? simplify(step) : step)
}
