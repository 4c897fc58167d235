import { LANGUAGES } from './detect.ts'

/** Hindi in Latin letters has tables of its own, read together with the English ones. */
export const TABLES = [...LANGUAGES, 'hinglish'] as const
export type TableName = (typeof TABLES)[number]

/** What the languages differ in, apart from their words. */
export type Grammar = {
  /** An apostrophe parts two words (l'app, dell'app); else it belongs to one (don't, foto's). */
  readonly apostropheSplits: boolean
  /** Tokens that `...` may skip: words, or signs where each is a token. */
  readonly gapTokensMax: number
  /** Nouns have a capital letter, so that it does not tell a name. */
  readonly capitalizesNouns: boolean
  /** The English tables that are read too: names of features are used in every language, whole sentences in few. */
  readonly readsEnglish: readonly ('features' | 'concepts' | 'competitors')[]
}

const USUAL: Grammar = {
  apostropheSplits: false,
  gapTokensMax: 3,
  capitalizesNouns: false,
  readsEnglish: ['features'],
}
/** Japanese and Korean: tokens are signs, and denials are part of the verb, so that the tables hold them. */
const SIGNS: Grammar = { ...USUAL, gapTokensMax: 9 }

export const GRAMMAR: Readonly<Record<TableName, Grammar>> = {
  en: { ...USUAL, readsEnglish: [] },
  de: { ...USUAL, capitalizesNouns: true },
  fr: { ...USUAL, apostropheSplits: true },
  es: USUAL,
  it: { ...USUAL, apostropheSplits: true },
  nl: USUAL,
  sv: USUAL,
  pt: USUAL,
  ja: SIGNS,
  ko: SIGNS,
  hi: { ...USUAL, readsEnglish: ['features', 'concepts'] },
  hinglish: {
    ...USUAL,
    readsEnglish: ['features', 'concepts', 'competitors'],
  },
}
