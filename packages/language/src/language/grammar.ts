import { LANGUAGES } from './detect.ts'

/** Hindi in Latin letters has word lists of its own, used together with the English ones. */
export const TABLES = [...LANGUAGES, 'hinglish'] as const
export type TableName = (typeof TABLES)[number]

/** Differences between languages other than their words. */
export type Grammar = {
  /** An apostrophe separates two words (l'app, dell'app) instead of being part of one (don't, foto's). */
  readonly apostropheSplits: boolean
  /** Tokens that `...` may skip: words, or characters in Japanese and Korean. */
  readonly gapTokensMax: number
  /** Nouns are capitalised, so a capital letter does not mark a name. */
  readonly capitalizesNouns: boolean
  /** The English word lists used in addition. */
  readonly readsEnglish: readonly ('features' | 'concepts' | 'topics' | 'competitors')[]
}

const USUAL: Grammar = {
  apostropheSplits: false,
  gapTokensMax: 3,
  capitalizesNouns: false,
  readsEnglish: ['features'],
}
/** Japanese and Korean: each character is a token. */
const BY_CHARACTER: Grammar = { ...USUAL, gapTokensMax: 9 }

export const GRAMMAR: Readonly<Record<TableName, Grammar>> = {
  en: { ...USUAL, readsEnglish: [] },
  de: { ...USUAL, capitalizesNouns: true },
  fr: { ...USUAL, apostropheSplits: true },
  es: USUAL,
  it: { ...USUAL, apostropheSplits: true },
  nl: USUAL,
  sv: USUAL,
  pt: USUAL,
  ja: BY_CHARACTER,
  ko: BY_CHARACTER,
  hi: { ...USUAL, readsEnglish: ['features', 'concepts', 'topics'] },
  hinglish: {
    ...USUAL,
    readsEnglish: ['features', 'concepts', 'topics', 'competitors'],
  },
}
