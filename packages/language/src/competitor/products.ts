import { foldWord } from '../text/normalize.ts'

/** Well-known apps and services with their kinds and alternative names (data/shared). */
export type Products = {
  /** By folded name. */
  readonly kinds: ReadonlyMap<string, readonly string[]>
  /** By folded name: all names of the same product, itself included. */
  readonly sameNames: ReadonlyMap<string, readonly string[]>
}

/** Reads `products.txt` ([kind], then names) and `same-names.txt` (the names of one product a line). */
export function readProducts(productsFile: string, sameNamesFile: string): Products {
  const kinds = new Map<string, string[]>()
  const sameNames = new Map<string, string[]>()
  let kind = ''
  for (const line of linesOf(productsFile)) {
    const heading = /^\[(.+)\]$/.exec(line)?.[1]
    if (heading !== undefined) kind = heading
    else for (const name of namesIn(line)) kinds.set(name, [...(kinds.get(name) ?? []), kind])
  }
  for (const line of linesOf(sameNamesFile)) {
    const names = namesIn(line)
    for (const name of names) sameNames.set(name, [...(sameNames.get(name) ?? []), ...names])
  }
  return { kinds, sameNames }
}

/** The app that a review is about. */
export type OwnApp = {
  /** Whether `name` means the app or its developer: it is part of their names, or an alternative name of a product that is. */
  readonly isOwn: (name: string) => boolean
  /** The kinds of the products that the app's name contains. */
  readonly kinds: ReadonlySet<string>
}

/** Longer app names are truncated. */
const OWN_CHARS_MAX = 120

/** `own`: the names of the app and its developer. */
export function ownApp(own: readonly string[], { kinds, sameNames }: Products): OwnApp {
  const folded = own.map((name) => foldName(name.slice(0, OWN_CHARS_MAX))).filter((name) => name !== '')
  const contains = (name: string) => folded.some((mine) => isPart(mine, name))
  const isOwn = (name: string) => {
    const candidate = foldName(name)
    return contains(candidate) || (sameNames.get(candidate) ?? []).some(contains)
  }
  const parts = folded.flatMap(partsOf)
  return { isOwn, kinds: new Set(parts.flatMap((part) => kinds.get(part) ?? [])) }
}

/** The form in which names are compared: folded words with one space between them. */
export function foldName(name: string): string {
  return name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(foldWord)
    .join(' ')
    .trim()
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A single character would be part of too many names. */
const UNSPACED_CHARS = { min: 2, max: 10 } as const
const WORDS_MAX = 4

function isPart(whole: string, part: string): boolean {
  if (UNSPACED.test(part)) return part.length >= UNSPACED_CHARS.min && whole.includes(part)
  return ` ${whole} `.includes(` ${part} `)
}

/** All parts of a folded name that could be a product's name. */
function partsOf(whole: string): string[] {
  const words = whole.split(' ')
  const parts = words.flatMap((_, start) =>
    Array.from({ length: WORDS_MAX }, (_, more) => words.slice(start, start + more + 1).join(' ')),
  )
  if (!UNSPACED.test(whole)) return parts
  for (let start = 0; start < whole.length; start++)
    for (let chars = UNSPACED_CHARS.min; chars <= UNSPACED_CHARS.max; chars++)
      parts.push(whole.slice(start, start + chars))
  return [...new Set(parts)]
}

function linesOf(file: string): string[] {
  return file.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

function namesIn(line: string): string[] {
  return line.split(',').flatMap((name) => foldName(name) || [])
}
