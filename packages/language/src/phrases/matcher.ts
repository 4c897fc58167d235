import type { Token } from '../text/segments.ts'
import type { Pattern, Step } from './pattern.ts'
import type { Section } from './table.ts'

/** A match of a phrase: its section and the tokens it matched. Tokens in its gaps are not in `taken`. */
export type Match = {
  readonly name: string
  readonly taken: readonly number[]
  readonly start: number
  /** One past the last token. */
  readonly end: number
}

export type Matcher = (tokens: readonly Token[]) => Match[]

type Entry = {
  readonly name: string
  /** The phrase of the table. */
  readonly source: Pattern
  /** Where matching starts: the choice entered, the step in it, and the steps that follow the choice. */
  readonly pattern: Pattern
  readonly at: number
  readonly rest: Rest | undefined
}

/** A prefix (`word*`) is looked up by at most this many letters; the rest of a longer one is compared. */
const START_CHARS_MAX = 10

/**
 * Finds every phrase of `sections` in a run of tokens, at each position with its longest match. Several phrases of a section may match at
 * one position. `gapMax` limits the tokens that `...` may skip, so the work per token depends on the tables only, not on the text.
 */
export function createMatcher(sections: readonly Section[], gapMax: number): Matcher {
  const byWord = new Map<string, Entry[]>()
  const byStart = new Map<string, Entry[]>()
  const anywhere: Entry[] = []
  const add = (index: Map<string, Entry[]>, key: string, entry: Entry) => {
    const list = index.get(key)
    if (list === undefined) index.set(key, [entry])
    else list.push(entry)
  }
  for (const { name, patterns } of sections) {
    for (const source of patterns) {
      for (const { pattern, at, rest } of beginnings(source, 0, undefined)) {
        const entry = { name, source, pattern, at, rest }
        const first = pattern[at]
        if (first?.kind === 'word') add(byWord, first.text, entry)
        else if (first?.kind === 'words' || first?.kind === 'few')
          for (const text of first.texts) add(byWord, text, entry)
        else if (first?.kind === 'start') add(byStart, first.text.slice(0, START_CHARS_MAX), entry)
        else anywhere.push(entry)
      }
    }
  }
  // slice() frees the spare capacity that push() left in each of a hundred thousand lists.
  for (const index of [byWord, byStart]) for (const [key, list] of index) index.set(key, list.slice())
  return (tokens) => {
    const found: Match[] = []
    const sources: Pattern[] = []
    const keep = (match: Match, source: Pattern) => {
      for (let at = found.length - 1; at >= 0 && found[at]?.start === match.start; at--) {
        if (sources[at] !== source) continue
        if (match.end > (found[at]?.end ?? 0)) found[at] = match
        return
      }
      found.push(match)
      sources.push(source)
    }
    const search: Search = { tokens, gapMax, taken: [], best: [], bestEnd: -1 }
    const attempt = (entries: readonly Entry[] | undefined, start: number) => {
      if (entries === undefined) return
      if (tokens[start]?.insideWord === true) return
      for (const { name, source, pattern, at, rest } of entries) {
        search.bestEnd = -1
        follow(search, pattern, at, start, rest)
        const end = search.bestEnd
        if (end > start && !isCutOff(tokens, start, end))
          keep({ name, taken: search.best, start, end }, source)
      }
    }
    tokens.forEach(({ folded }, start) => {
      attempt(byWord.get(folded), start)
      const charsMax = Math.min(folded.length, START_CHARS_MAX)
      for (let chars = 1; chars <= charsMax; chars++) attempt(byStart.get(folded.slice(0, chars)), start)
      attempt(anywhere, start)
    })
    return found
  }
}

const SHORT = /^(?:[\p{Script=Hiragana}\p{Script=Katakana}ー]{1,2}|\p{Script=Han})$/u

/**
 * Whether a short Japanese phrase is only the beginning of another word: いつ of いつも, カス of カスタマイズ, 曲 of 曲がり角.
 * Longer phrases may end inside a word, because tables hold stems (使いにく) and the dictionary splits verbs inconsistently.
 */
function isCutOff(tokens: readonly Token[], start: number, end: number): boolean {
  if (tokens[end]?.insideWord !== true || end - start > 2) return false
  return SHORT.test(
    tokens
      .slice(start, end)
      .map(({ surface }) => surface)
      .join(''),
  )
}

type Beginning = Pick<Entry, 'pattern' | 'at' | 'rest'>

/**
 * The possible first steps of a phrase, so that a token is compared only with phrases that can start with it. A leading `...`
 * matches nothing.
 */
function beginnings(pattern: Pattern, at: number, rest: Rest | undefined): Beginning[] {
  const step = pattern[at]
  if (step === undefined) return rest === undefined ? [] : beginnings(rest.pattern, rest.at, rest.outer)
  if (step.kind === 'gap') return beginnings(pattern, at + 1, rest)
  if (step.kind !== 'choice') return [{ pattern, at, rest }]
  const outer = { pattern, at: at + 1, outer: rest }
  return step.options.flatMap((option) => beginnings(option, 0, outer))
}

type Search = {
  readonly tokens: readonly Token[]
  readonly gapMax: number
  readonly taken: number[]
  best: readonly number[]
  bestEnd: number
}

/** The steps that follow the current choice. */
type Rest = { readonly pattern: Pattern; readonly at: number; readonly outer: Rest | undefined }

function follow(
  search: Search,
  pattern: Pattern,
  at: number,
  position: number,
  rest: Rest | undefined,
): void {
  const step = pattern[at]
  if (step === undefined) {
    if (rest !== undefined) follow(search, rest.pattern, rest.at, position, rest.outer)
    else if (position > search.bestEnd) {
      search.bestEnd = position
      search.best = [...search.taken]
    }
    return
  }
  if (step.kind === 'choice') {
    const outer = { pattern, at: at + 1, outer: rest }
    for (const option of step.options) follow(search, option, 0, position, outer)
    return
  }
  if (step.kind === 'gap') {
    const last = Math.min(position + search.gapMax, search.tokens.length)
    for (let next = position; next <= last; next++) {
      if (next > position && search.tokens[next]?.insideWord === true) continue
      follow(search, pattern, at + 1, next, rest)
    }
    return
  }
  const token = search.tokens[position]
  if (token === undefined || !accepts(step, token.folded)) return
  search.taken.push(position)
  follow(search, pattern, at + 1, position + 1, rest)
  search.taken.pop()
}

function accepts(step: Exclude<Step, { kind: 'choice' | 'gap' }>, folded: string): boolean {
  switch (step.kind) {
    case 'word':
      return folded === step.text
    case 'few':
      return step.texts.includes(folded)
    case 'words':
      return step.texts.has(folded)
    case 'start':
      return folded.startsWith(step.text)
    case 'end':
      return folded.endsWith(step.text)
    case 'part':
      return folded.includes(step.text)
  }
}

/**
 * Removes every match whose tokens are all part of a longer match.
 */
export function dropCovered(matches: readonly Match[]): Match[] {
  return matches.filter(
    (match) =>
      !matches.some(
        (other) =>
          other.taken.length > match.taken.length &&
          match.taken.every((position) => other.taken.includes(position)),
      ),
  )
}
