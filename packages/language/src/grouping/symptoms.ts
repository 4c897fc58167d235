import { readFileSync } from 'node:fs'

/** By the names of `data/shared/symptoms.txt`: the parts of the app that a text names, and the ways in which they fail. */
export type Symptoms = { readonly things: readonly string[]; readonly faults: readonly string[] }

export type SymptomReader = (text: string) => Symptoms

/** From Devanagari on, words have no case and often no spaces. */
const UNSPACED = /[\u{900}-\u{10ffff}]/u

/** Reads `symptoms.txt`. Throws when a line is not `name | words`. */
export function loadSymptoms(
  file: URL = new URL('../../data/shared/symptoms.txt', import.meta.url),
): SymptomReader {
  const found = { thing: new Map<string, readonly Word[]>(), fault: new Map<string, readonly Word[]>() }
  let kind: keyof typeof found | undefined
  for (const [at, written] of readFileSync(file, 'utf8').split('\n').entries()) {
    const line = written.trim()
    if (line === '' || line.startsWith('#')) continue
    if (line === '[thing]' || line === '[fault]') {
      kind = line === '[thing]' ? 'thing' : 'fault'
      continue
    }
    const [name = '', words = ''] = line.split(' | ')
    if (kind === undefined || name === '' || words === '')
      throw new Error(`symptoms.txt:${at + 1}: "${line}" is not "name | words"`)
    found[kind].set(name, words.split(', ').map(wordOf))
  }
  return (text) => {
    const folded = foldLetters(text)
    const namesIn = (of: ReadonlyMap<string, readonly Word[]>) =>
      [...of].filter(([, words]) => words.some((word) => occursIn(folded, word))).map(([name]) => name)
    return { things: namesIn(found.thing), faults: namesIn(found.fault) }
  }
}

/** `isStart`: it begins a word of the text; `isEnd`: it ends one. */
type Word = { readonly text: string; readonly isStart: boolean; readonly isEnd: boolean }

function wordOf(written: string): Word {
  const text = foldLetters(written.replace(/^[=*]|\$$/g, ''))
  if (written.startsWith('*') || UNSPACED.test(text)) return { text, isStart: false, isEnd: false }
  return { text, isStart: true, isEnd: written.startsWith('=') || written.endsWith('$') }
}

function occursIn(text: string, word: Word): boolean {
  for (let at = text.indexOf(word.text); at !== -1; at = text.indexOf(word.text, at + 1)) {
    const before = word.isStart ? text.slice(Math.max(0, at - 2), at) : ''
    const end = at + word.text.length
    const after = word.isEnd ? text.slice(end, end + 2) : ''
    if (!ENDS_IN_WORD.test(before) && !BEGINS_IN_WORD.test(after)) return true
  }
  return false
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const BEGINS_IN_WORD = /^[\p{L}\p{N}]/u

/** Lower case, without the accents of Latin letters. Accents of other scripts change the letter, so they stay. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .normalize('NFD')
    .replace(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')
}
