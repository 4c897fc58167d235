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
 * Parses a phrase table: `# comment`, `@list = a / b / c`, `[section]`, and phrases separated by commas or line ends, which may start on
 * the line of the heading. A line that ends inside a bracket or after `/` continues on the next one. A section may occur more than once.
 * Throws PhraseSyntaxError with file and line.
 */
export function parseTable(text: string, fileName: string, apostropheSplits: boolean): Section[] {
  const macros = new Map<string, Step>()
  const words: WordSteps = new Map()
  const sections = new Map<string, Pattern[]>()
  let current: Pattern[] | undefined
  for (const { source, line } of readEntries(text)) {
    try {
      if (isList(source)) addMacro(source, macros, apostropheSplits)
      else if (isHeading(source)) {
        const name = nameOf(source)
        current = sections.get(name) ?? []
        sections.set(name, current)
      } else if (current === undefined) throw new PhraseSyntaxError('phrase before the first [section]')
      else current.push(parsePattern(source, macros, apostropheSplits, words))
    } catch (error) {
      if (!(error instanceof PhraseSyntaxError)) throw error
      throw new PhraseSyntaxError(`${fileName}:${line}: ${error.message}`)
    }
  }
  return [...sections].map(([name, patterns]) => ({ name, patterns }))
}

/** A heading, a list or a phrase, and its first line; for an unclosed bracket, the line that opens it. */
type Entry = { readonly source: string; readonly line: number }

function readEntries(text: string): Entry[] {
  const entries: Entry[] = []
  let source = ''
  let begun = 0
  /** The lines of the brackets that are open. */
  let opened: number[] = []
  const close = () => {
    if (source !== '') entries.push({ source, line: opened[0] ?? begun })
    source = ''
    opened = []
  }
  const read = (piece: string, line: number) => {
    if (source === '') begun = line
    source = `${source} ${piece}`.trim()
    for (const bracket of piece.match(/[()]/g) ?? [])
      if (bracket === '(') opened.push(line)
      else opened.pop()
  }
  text.split('\n').forEach((raw, index) => {
    const line = index + 1
    const written = (raw.split('#', 1)[0] ?? '').trim()
    if (written === '') return
    const heading = /^\[[^\]]*\]?/.exec(written)?.[0] ?? ''
    if (heading !== '' || isList(written)) close()
    if (heading !== '') entries.push({ source: heading, line })
    const phrases = isList(source || written) ? [written] : written.slice(heading.length).split(/[,、，]/u)
    phrases.forEach((phrase, at) => {
      if (at > 0) close()
      read(phrase, line)
    })
    if (opened.length === 0 && !source.endsWith('/')) close()
  })
  close()
  return entries
}

function isHeading(source: string): boolean {
  return source.startsWith('[')
}

function isList(source: string): boolean {
  return source.startsWith('@') && source.includes('=')
}

function nameOf(heading: string): string {
  const name = /^\[([a-z0-9_-]+)\]$/.exec(heading)?.[1]
  if (name === undefined) throw new PhraseSyntaxError(`invalid heading "${heading}"`)
  return name
}

function addMacro(source: string, macros: Macros & Map<string, Step>, apostropheSplits: boolean): void {
  const [, name, list] = /^@([a-z_]+)\s*=([^,、，]+)$/u.exec(source) ?? []
  if (name === undefined || list === undefined)
    throw new PhraseSyntaxError(`invalid list "${source}": expected "@name = a / b" without commas`)
  // The brackets make `a / b` the same as a choice inside a phrase.
  const [step] = parsePattern(`(${list})`, macros, apostropheSplits)
  if (step === undefined) throw new PhraseSyntaxError(`@${name} is empty`)
  macros.set(name, step.kind === 'choice' ? simplify(step) : step)
}

/** The words of a list of `fileName`. Throws PhraseSyntaxError unless each entry is a single word: only single words are looked up. */
export function wordsIn(sections: readonly Section[], list: string, fileName: string): Set<string> {
  const patterns = sections.filter(({ name }) => name === list).flatMap((section) => section.patterns)
  return new Set(
    patterns.map(([first, ...others]) => {
      if (first?.kind !== 'word' || others.length > 0)
        throw new PhraseSyntaxError(`${fileName}: [${list}] may hold only single words`)
      return first.text
    }),
  )
}
