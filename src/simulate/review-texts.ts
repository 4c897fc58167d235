import { readFileSync } from 'node:fs'
import type { Storefront } from '../model/vocabulary.ts'
import type { Random } from './random.ts'

/** A realistic review text. Only Apple shows `title`. */
export type ReviewText = { readonly stars: number; readonly title: string | null; readonly body: string }

export const TEXT_LANGUAGES = ['en', 'fr', 'de', 'es', 'sv', 'pt', 'ja', 'ko', 'hi', 'nl', 'it'] as const
export type TextLanguage = (typeof TEXT_LANGUAGES)[number]

/** The language of a storefront's reviews. */
export const LANGUAGE_OF_STOREFRONT: Readonly<Record<Storefront, TextLanguage>> = {
  us: 'en',
  gb: 'en',
  ca: 'en',
  au: 'en',
  ie: 'en',
  fr: 'fr',
  de: 'de',
  es: 'es',
  se: 'sv',
  br: 'pt',
  mx: 'es',
  jp: 'ja',
  kr: 'ko',
  in: 'hi',
  nl: 'nl',
  it: 'it',
}

/** A writer that uses every text of a language once per app before it repeats one. */
export function createWriter(random: Random) {
  const authors = readJson<Record<TextLanguage, readonly string[]>>('authors')
  const bags = new Map<string, ReviewText[]>()
  return {
    text: (appName: string, language: TextLanguage): ReviewText => {
      const key = `${appName}/${language}`
      const bag = bags.get(key) ?? []
      if (bag.length === 0) bag.push(...random.shuffled(textsOf(language)))
      bags.set(key, bag)
      const text = bag.pop()
      if (text === undefined) throw new RangeError(`There are no texts in ${language}.`)
      return text
    },
    author: (language: TextLanguage): string => random.pick(authors[language]),
  }
}

export function textsOf(language: TextLanguage): readonly ReviewText[] {
  return readJson(language)
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./texts/${name}.json`, import.meta.url), 'utf8')) as T
}
