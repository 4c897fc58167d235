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
  const found = { thing: new Map<string, RegExp>(), fault: new Map<string, RegExp>() }
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
    found[kind].set(name, new RegExp(words.split(', ').map(patternOf).join('|'), 'u'))
  }
  return (text) => {
    const folded = foldLetters(text)
    const namesIn = (of: ReadonlyMap<string, RegExp>) =>
      [...of].filter(([, pattern]) => pattern.test(folded)).map(([name]) => name)
    return { things: namesIn(found.thing), faults: namesIn(found.fault) }
  }
}

function patternOf(written: string): string {
  const isWhole = written.startsWith('=') || written.endsWith('$')
  const isAnywhere = written.startsWith('*')
  const word = foldLetters(written.replace(/^[=*]|\$$/g, '')).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (isAnywhere || UNSPACED.test(word)) return word
  return `(?<![\\p{L}\\p{N}])${word}${isWhole ? '(?![\\p{L}\\p{N}])' : ''}`
}

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
