import { ANY_VERSION, foldWord } from '../text/normalize.ts'
import { CJK } from '../text/segments.ts'

/** One step of a phrase. A phrase matches a run of tokens when its steps match them in order. */
export type Step =
  | { readonly kind: 'word'; readonly text: string }
  /** One of these. Most choices have three or four words, for which a set would take eight times the memory. */
  | { readonly kind: 'few'; readonly texts: readonly string[] }
  | { readonly kind: 'words'; readonly texts: ReadonlySet<string> }
  | { readonly kind: 'start'; readonly text: string }
  | { readonly kind: 'end'; readonly text: string }
  | { readonly kind: 'part'; readonly text: string }
  | { readonly kind: 'gap' }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }

export type Pattern = readonly Step[]
export type Macros = ReadonlyMap<string, Step>
/** The steps of one table by the word as written: each word occurs five times on average. */
export type WordSteps = Map<string, Step>

/** Up to this number of words, comparing one by one is as fast as a lookup. */
const FEW = 8

/** A syntax error in a table. Thrown at start, never while a review is read. */
export class PhraseSyntaxError extends Error {}

const WORDS = new RegExp(
  `(?:v|(?<!\\d))\\d+(?:\\.\\d+)+|[${CJK}]|\\*?[[\\p{L}\\p{M}\\p{N}]--[${CJK}]]+\\*?`,
  'gv',
)

/**
 * Parses one phrase of a table. `word*` allows any ending, `*word` any beginning, `*word*` both. `...` skips a few words, `(a/b c)` is a
 * choice, `@name` is a list defined above, and `(a)?` and `@name?` are optional. Throws PhraseSyntaxError.
 */
export function parsePattern(
  source: string,
  macros: Macros,
  apostropheSplits: boolean,
  words: WordSteps = new Map(),
): Pattern {
  const reader = {
    words,
    source: source.replace(/(?<=[\p{L}])'(?=[\p{L}])/gu, apostropheSplits ? ' ' : ''),
    at: 0,
    depth: 0,
  }
  const steps = readSequence(reader, macros)
  if (reader.at < reader.source.length) throw new PhraseSyntaxError(`"${source}": ")" without "("`)
  if (!steps.some((step) => step.kind !== 'gap')) throw new PhraseSyntaxError(`"${source}": contains no word`)
  return steps
}

type Reader = { readonly words: WordSteps; readonly source: string; at: number; depth: number }

function readSequence(reader: Reader, macros: Macros): Pattern {
  const steps: Step[] = []
  while (reader.at < reader.source.length) {
    const first = reader.source[reader.at]
    if (first === ')' || (first === '/' && reader.depth > 0)) break
    if (first === '/') reader.at++
    else if (first === '(') {
      reader.at++
      steps.push(readChoice(reader, macros))
    } else if (reader.source.startsWith('...', reader.at)) {
      reader.at += 3
      steps.push({ kind: 'gap' })
    } else if (first === '@') {
      const name = readNext(reader, LIST_NAME).slice(1)
      const macro = macros.get(name)
      if (macro === undefined) throw new PhraseSyntaxError(`"${reader.source}": no list named @${name} above`)
      steps.push(takeQuestionMark(reader) ? simplify({ kind: 'choice', options: [[macro], []] }) : macro)
    } else if (first === '?') {
      throw new PhraseSyntaxError(`"${reader.source}": "?" must directly follow ")" or a list`)
    } else {
      for (const word of readNext(reader, PLAIN_TEXT).match(WORDS) ?? [])
        steps.push(knownStep(word, reader.words))
    }
  }
  // slice() frees the spare capacity that push() left: 8 of 21 MB for the phrase tables.
  return steps.slice()
}

const LIST_NAME = /@[a-z_]*/y
const PLAIN_TEXT = /(?:[^()/@.?]|\.(?!\.\.))+/y

/** Reads the text at the current position that matches `what`, a sticky pattern; empty when none does. */
function readNext(reader: Reader, what: RegExp): string {
  what.lastIndex = reader.at
  const found = what.exec(reader.source)?.[0] ?? ''
  reader.at += found.length
  return found
}

function readChoice(reader: Reader, macros: Macros): Step {
  const options: Pattern[] = []
  reader.depth++
  for (;;) {
    const option = readSequence(reader, macros)
    // A character that is not part of a word ("$") must not make the choice optional.
    if (option.length > 0) options.push(option)
    const mark = reader.source[reader.at]
    if (mark === undefined)
      throw new PhraseSyntaxError(
        `"${reader.source}": "(" without ")"; separate alternatives with "/", not with a comma`,
      )
    reader.at++
    if (mark === ')') break
  }
  reader.depth--
  if (options.length === 0) options.push([])
  if (takeQuestionMark(reader)) options.push([])
  return simplify({ kind: 'choice', options })
}

/** Reads a `?` at the current position; false when there is none. */
function takeQuestionMark(reader: Reader): boolean {
  if (reader.source[reader.at] !== '?') return false
  reader.at++
  return true
}

/** Merges the plain words of a choice into one step, so that they need one lookup. */
export function simplify(choice: Extract<Step, { kind: 'choice' }>): Step {
  const texts = new Set<string>()
  const others = choice.options.filter((option) => {
    const only = option.length === 1 ? option[0] : undefined
    if (only?.kind === 'word') texts.add(only.text)
    else if (only?.kind === 'words' || only?.kind === 'few') for (const text of only.texts) texts.add(text)
    else return true
    return false
  })
  if (texts.size === 0) return { kind: 'choice', options: others }
  const words: Step = texts.size > FEW ? { kind: 'words', texts } : { kind: 'few', texts: [...texts] }
  return others.length === 0 ? words : { kind: 'choice', options: [[words], ...others] }
}

function knownStep(written: string, words: WordSteps): Step {
  const step = words.get(written) ?? wordStep(written)
  words.set(written, step)
  return step
}

function wordStep(written: string): Step {
  if (/^v?\d+\./.test(written)) return { kind: 'word', text: ANY_VERSION }
  const text = foldWord(written.replaceAll('*', ''))
  const open = { before: written.startsWith('*'), after: written.endsWith('*') }
  if (open.before && open.after) return { kind: 'part', text }
  if (open.before) return { kind: 'end', text }
  return open.after ? { kind: 'start', text } : { kind: 'word', text }
}
