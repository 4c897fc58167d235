import { LANGUAGES } from './detect.ts'

/** Hindi in Latin letters has tables of its own, read together with the English ones. */
export const TABLES = [...LANGUAGES, 'hinglish'] as const
export type TableName = (typeof TABLES)[number]

/** In how many tokens before and after it a denial reaches a judgement. */
export type NegationWindow = { readonly before: number; readonly after: number }

/** What the languages differ in, apart from their words. */
export type Grammar = {
  /** An apostrophe parts two words (l'app, dell'app); else it belongs to one (don't, foto's). */
  readonly apostropheSplits: boolean
  /** Tokens that `...` may skip: words, or signs where each is a token. */
  readonly gapTokensMax: number
  readonly negation: NegationWindow
  /** Nouns have a capital letter, so that it does not tell a name. */
  readonly capitalizesNouns: boolean
  /** The English tables that are read too: names of features are used in every language, whole sentences in few. */
  readonly readsEnglish: readonly ('phrases' | 'features' | 'concepts' | 'clues' | 'wanting')[]
}

const USUAL: Grammar = {
  apostropheSplits: false,
  gapTokensMax: 3,
  negation: { before: 3, after: 0 },
  capitalizesNouns: false,
  readsEnglish: ['features'],
}
const GERMANIC: Grammar = { ...USUAL, negation: { before: 3, after: 2 } }
/** Japanese and Korean: tokens are signs, and denials are part of the verb, so that the tables hold them. */
const SIGNS: Grammar = { ...USUAL, gapTokensMax: 9, negation: { before: 0, after: 0 } }

export const GRAMMAR: Readonly<Record<TableName, Grammar>> = {
  en: { ...USUAL, readsEnglish: [] },
  de: { ...GERMANIC, capitalizesNouns: true },
  fr: { ...USUAL, apostropheSplits: true, negation: { before: 3, after: 1 } },
  es: USUAL,
  it: { ...USUAL, apostropheSplits: true },
  nl: GERMANIC,
  sv: GERMANIC,
  pt: USUAL,
  ja: SIGNS,
  ko: SIGNS,
  hi: { ...USUAL, negation: { before: 1, after: 2 }, readsEnglish: ['features', 'concepts'] },
  hinglish: {
    ...USUAL,
    negation: { before: 2, after: 2 },
    readsEnglish: ['phrases', 'features', 'concepts', 'clues', 'wanting'],
  },
}
