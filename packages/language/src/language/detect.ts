import { UNDETERMINED } from '../../../../src/model/review-language.ts'
import type { Storefront } from '../../../../src/model/vocabulary.ts'
import { LATIN_LANGUAGES, type NgramScores } from './ngrams.ts'

/** The languages with word lists. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'sv', 'pt', 'ja', 'ko', 'hi'] as const
export type Language = (typeof LANGUAGES)[number]

export type Detected = {
  /** ISO 639-1, may be a language without word lists; `und` when the text is in none that is known. */
  readonly language: string
  /** Hindi in Latin letters. */
  readonly isHinglish: boolean
}

export type DetectDeps = {
  readonly ngrams: NgramScores
  /** Words that identify a language in short text: folded word to its languages. */
  readonly identifyingWords: ReadonlyMap<string, readonly Language[]>
  /** Hindi words in Latin letters that are not English words. */
  readonly hinglishWords: ReadonlySet<string>
  /** Hindi words in Latin letters that are also words of other languages. They count half. */
  readonly hinglishAmbiguous: ReadonlySet<string>
}

const STOREFRONT_LANGUAGES: Readonly<Record<Storefront, readonly Language[]>> = {
  us: ['en'],
  gb: ['en'],
  ca: ['en', 'fr'],
  au: ['en'],
  ie: ['en'],
  fr: ['fr'],
  de: ['de'],
  es: ['es'],
  se: ['sv'],
  br: ['pt'],
  mx: ['es'],
  jp: ['ja'],
  kr: ['ko'],
  in: ['en', 'hi'],
  nl: ['nl'],
  it: ['it'],
}

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['pa', /\p{Script=Gurmukhi}/gu],
]

/** Letters after which the storefront is ignored (measured: about 60). */
const PRIOR_LETTERS = 60
/** Letters of one or two words, which say little: the storefront decides unless words identify another language. */
const SHORT_LETTERS = 16

/** Shorter texts have too few n-grams to tell that they are in an unknown language. */
const UNDETERMINED_LETTERS_MIN = 20
/**
 * Scores of n-grams per letter. 99 of 100 real reviews in a language with word lists have more; Filipino, Croatian or Estonian have 5 to
 * 15.
 */
const UNDETERMINED_PER_LETTER = 17
/** Of the words of such a text: short words of one language are also words of another. */
const IDENTIFIED_SHARE_MIN = 0.25

/** A language without word lists is taken when its n-grams lead this far over all languages with some. */
const CLEAR_LEAD = 0.3
const CLEAR_LEAD_LETTERS_MIN = 12

/**
 * The language of a normalised text and its words. A text without letters is in the storefront's first language. The script decides first,
 * then Hindi words in Latin letters. After that n-grams, identifying words and the storefront decide together; the weight of the storefront
 * falls as the text grows.
 */
export function detectLanguage(
  text: string,
  words: readonly string[],
  storefront: Storefront | null,
  deps: DetectDeps,
): Detected {
  const home = storefront === null ? [] : STOREFRONT_LANGUAGES[storefront]
  const byScript = languageOfScript(text, home)
  if (byScript !== undefined) return { language: byScript, isHinglish: false }
  const latin = count(text, /\p{Script=Latin}/gu)
  if (latin === 0) return { language: home[0] ?? 'en', isHinglish: false }
  if (isHinglish(words, storefront, deps)) return { language: 'hi', isHinglish: true }
  return { language: languageOfLatin(text, words, latin, home, deps), isHinglish: false }
}

function languageOfScript(text: string, home: readonly Language[]): string | undefined {
  // One character of these scripts means as much as several Latin letters, and product names in Latin letters are common.
  const latin = count(text, /\p{Script=Latin}/gu)
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const han = count(text, /\p{Script=Han}/gu)
  const hangul = count(text, /\p{Script=Hangul}/gu)
  const devanagari = count(text, /\p{Script=Devanagari}/gu)
  const most = Math.max(kana + han, hangul, devanagari)
  if (most * 3 >= latin && most > 0) {
    if (most === hangul) return 'ko'
    if (most === devanagari) return 'hi'
    return kana > 0 || home.includes('ja') ? 'ja' : 'zh'
  }
  for (const [language, script] of SCRIPTS) {
    const characters = count(text, script)
    if (characters > latin) return language === 'ru' && /[іїєґ]/u.test(text) ? 'uk' : language
  }
  return undefined
}

function isHinglish(words: readonly string[], storefront: Storefront | null, deps: DetectDeps): boolean {
  let weight = 0
  const seen = new Set<string>()
  for (const word of words) {
    if (seen.has(word)) continue
    seen.add(word)
    if (deps.hinglishWords.has(word)) weight += 1
    else if (deps.hinglishAmbiguous.has(word)) weight += 0.5
  }
  const share = weight / Math.max(1, seen.size)
  return storefront === 'in' ? weight >= 1 && share >= 0.12 : weight >= 2 && share >= 0.25
}

function languageOfLatin(
  text: string,
  words: readonly string[],
  letters: number,
  home: readonly Language[],
  deps: DetectDeps,
): string {
  const { sums, letters: lettersRead } = deps.ngrams(text)
  const best = Math.max(1, ...sums)
  const isKnown = (language: string) => LANGUAGES.some((ours) => ours === language)
  const bestKnown = Math.max(
    ...LATIN_LANGUAGES.map((language, index) => (isKnown(language) ? (sums[index] ?? 0) : 0)),
  )
  const identified = new Map<string, number>()
  const different = new Set(words)
  for (const word of different)
    for (const language of deps.identifyingWords.get(word) ?? [])
      identified.set(
        language,
        (identified.get(language) ?? 0) + 1 / (deps.identifyingWords.get(word)?.length ?? 1),
      )
  if (
    lettersRead >= UNDETERMINED_LETTERS_MIN &&
    best < lettersRead * UNDETERMINED_PER_LETTER &&
    Math.max(0, ...identified.values()) < different.size * IDENTIFIED_SHARE_MIN
  )
    return UNDETERMINED
  const fade = Math.max(0, 1 - letters / PRIOR_LETTERS)
  const shortFade = Math.max(0, 1 - letters / SHORT_LETTERS)
  const isClear = letters >= CLEAR_LEAD_LETTERS_MIN && (best - bestKnown) / best >= CLEAR_LEAD
  let chosen: { readonly language: string; readonly score: number } = { language: home[0] ?? 'en', score: -1 }
  LATIN_LANGUAGES.forEach((language, index) => {
    let score =
      (sums[index] ?? 0) / best + (0.6 * (identified.get(language) ?? 0)) / Math.max(3, different.size)
    if (home.some((ours) => ours === language)) score += 0.35 * fade + 0.7 * shortFade + 0.02
    else if (language === 'en') score += 0.06 * fade
    // Languages without tables need a clear lead: Danish and Norwegian look like Swedish in a short text.
    if (!isKnown(language) && !isClear) score -= letters < 40 ? 1 : 0.12
    if (score > chosen.score) chosen = { language, score }
  })
  return chosen.language
}

function count(text: string, characters: RegExp): number {
  return text.match(characters)?.length ?? 0
}
