/**
 * Understands a review without asking anybody: phrase tables per language, read clause by clause.
 * docs/enrichment.md says how it works, what it was measured at, and how the tables are mended.
 */
import type { Enrichment } from '../../../model/enrichment.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import { loadHeardLikeness } from './examples/load.ts'
import { detectLanguage, LANGUAGES } from './language/detect.ts'
import { GRAMMAR, type TableName } from './language/grammar.ts'
import { loadNgrams } from './language/ngrams.ts'
import { loadTables } from './phrases/load.ts'
import { readAcrossDevices } from './read/across-devices.ts'
import { readCompetitor } from './read/competitor.ts'
import { otherTopic } from './read/other-topic.ts'
import { readRequest } from './read/request.ts'
import { readSentiment } from './read/sentiment.ts'
import { readIsBug, readSeverity } from './read/severity.ts'
import { readSignals, withoutCue, withoutWishedFaults } from './read/signals.ts'
import { summarize } from './read/summary.ts'
import { readThemes } from './read/themes.ts'
import { markJapaneseWords } from './text/japanese-words.ts'
import { segment } from './text/segments.ts'
import { tidy } from './text/tidy.ts'

export type EnrichInput = {
  readonly title: string | null
  readonly body: string
  /** 1 to 5, or null when the stars are hidden from the engine. */
  readonly rating: number | null
  readonly storefront: Storefront | null
}

/**
 * Loads the tables once, in a few hundred milliseconds; what comes back is pure and never throws, whatever the text.
 * The first 4,000 characters of title and body each are read. Throws PhraseSyntaxError when a table cannot be read.
 */
export function createOfflineEngine(): (input: EnrichInput) => Enrichment {
  const tables = loadTables()
  const ngrams = loadNgrams()
  const detectDeps = { ngrams, ...tables }
  const heardLikeness = loadHeardLikeness(tables.slugs)

  return ({ title, body, rating, storefront }) => {
    const text = tidy(title === null || title === '' ? body : `${title}\n${body}`)
    const joined = segment(text, false)
    const words = joined.segments.flatMap(({ tokens }) => tokens.map(({ folded }) => folded))
    const { language, isHinglish } = detectLanguage(text, words, storefront, detectDeps)
    const tableName: TableName = isHinglish
      ? 'hinglish'
      : (LANGUAGES.find((known) => known === language) ?? 'en')
    const table = tables.byName.get(tableName)
    if (table === undefined) throw new Error(`no table ${tableName}`)
    const { apostropheSplits, negation, capitalizesNouns } = GRAMMAR[tableName]

    const { segments: signs, emoji } = apostropheSplits ? segment(text, true) : joined
    const segments = tableName === 'ja' ? markJapaneseWords(signs) : signs
    const heard = readAcrossDevices(readSignals(segments, { ...table, negation }), tables.deviceMatcher)
    const competitor = readCompetitor(heard, { ...table, capitalizesNouns })
    const arrived = competitor.joined ? withoutCue(heard, 'churn') : heard
    const request = readRequest(arrived, { ...tables, ...table, heardLikeness })
    const reading =
      request?.isKnown === true ? withoutWishedFaults(arrived, request.sentences, request.theme) : arrived
    const mood = readSentiment(reading, emoji, rating, request !== null, competitor)
    const themes = readThemes(reading, {
      sentiment: mood.sentiment,
      isComparison: competitor.mentioned,
      isRequest: request !== null,
      requestTheme: request?.theme ?? null,
    })
    const facts = {
      language,
      sentiment: mood.sentiment,
      themes,
      is_feature_request: request !== null,
      feature_slug: request?.slug ?? null,
      feature_phrase: request?.phrase ?? null,
      is_bug_report: readIsBug(reading),
      severity: readSeverity(reading, competitor, mood),
      mentions_competitor: competitor.mentioned,
      competitor_named: competitor.named,
      other_topic: themes.includes('other') ? otherTopic(reading, request, table.functionWords) : null,
    }
    return { ...facts, summary_en: summarize(facts, request) }
  }
}
