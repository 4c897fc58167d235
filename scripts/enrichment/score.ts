import type { Enrichment } from '../../src/model/enrichment.ts'
import { SENTIMENTS, SEVERITIES } from '../../src/model/vocabulary.ts'
import type { Labelled } from './labelled.ts'

/** A labelled review and what an engine made of it. */
export type Judged = { readonly gold: Labelled['labels']; readonly predicted: Enrichment }

/** All between 0 and 1, rounded to three places. `slugAgreement` is null without two requests of one feature in two languages. */
export type Scores = {
  readonly count: number
  readonly language: number
  readonly sentiment: number
  readonly themes: number
  readonly bug: number
  readonly request: number
  readonly severity: number
  readonly severityHighRecall: number
  readonly competitor: number
  readonly competitorName: number
  readonly slugPairs: number
  readonly slugAgreement: number | null
  readonly summary: number
}

/** Language accuracy; macro-F1 of sentiment and severity; micro-F1 of themes; F1 of the rest; share of sound summaries. */
export function score(rows: readonly Judged[]): Scores {
  const named = rows.filter(({ gold }) => gold.competitor_named !== null)
  return {
    count: rows.length,
    language: share(rows, ({ gold, predicted }) => gold.language === predicted.language),
    sentiment: macroF1(
      rows.map(({ gold, predicted }) => [gold.sentiment, predicted.sentiment]),
      SENTIMENTS,
    ),
    themes: themesF1(rows),
    bug: binaryF1(rows.map(({ gold, predicted }) => [gold.is_bug_report, predicted.is_bug_report])),
    request: binaryF1(
      rows.map(({ gold, predicted }) => [gold.is_feature_request, predicted.is_feature_request]),
    ),
    severity: macroF1(
      rows.map(({ gold, predicted }) => [gold.severity, predicted.severity]),
      SEVERITIES,
    ),
    severityHighRecall: share(
      rows.filter(({ gold }) => gold.severity === 'high'),
      ({ predicted }) => predicted.severity === 'high',
    ),
    competitor: binaryF1(
      rows.map(({ gold, predicted }) => [gold.mentions_competitor, predicted.mentions_competitor]),
    ),
    competitorName: share(
      named,
      ({ gold, predicted }) => plain(gold.competitor_named) === plain(predicted.competitor_named),
    ),
    ...slugScores(rows),
    summary: share(rows, ({ predicted }) => isSoundSummary(predicted.summary_en)),
  }
}

function share<T>(rows: readonly T[], holds: (row: T) => boolean): number {
  return round(rows.filter(holds).length / (rows.length || 1))
}

function round(value: number): number {
  return Number(value.toFixed(3))
}

function f1(hits: number, extra: number, missed: number): number {
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + extra + missed)
}

function binaryF1(pairs: readonly (readonly [boolean, boolean])[]): number {
  const count = (gold: boolean, predicted: boolean) =>
    pairs.filter(([g, p]) => g === gold && p === predicted).length
  return round(f1(count(true, true), count(false, true), count(true, false)))
}

function macroF1<T extends string>(pairs: readonly (readonly [T, T])[], classes: readonly T[]): number {
  const each = classes.map((one) =>
    binaryF1(pairs.map(([gold, predicted]) => [gold === one, predicted === one])),
  )
  return round(each.reduce((sum, value) => sum + value, 0) / classes.length)
}

function themesF1(rows: readonly Judged[]): number {
  let [hits, extra, missed] = [0, 0, 0]
  for (const { gold, predicted } of rows) {
    const found = predicted.themes.filter((theme) => gold.themes.includes(theme)).length
    hits += found
    extra += predicted.themes.length - found
    missed += gold.themes.length - found
  }
  return round(f1(hits, extra, missed))
}

/** Over the true requests: two that ask for the same must get the same slug, two that do not must not. */
function slugScores(rows: readonly Judged[]): Pick<Scores, 'slugPairs' | 'slugAgreement'> {
  const requests = rows.filter(({ gold }) => gold.is_feature_request)
  let [hits, extra, missed, acrossHits, across] = [0, 0, 0, 0, 0]
  requests.forEach((a, index) => {
    for (const b of requests.slice(index + 1)) {
      const isSame = a.gold.feature_key === b.gold.feature_key
      const isSaid =
        a.predicted.feature_slug !== null && a.predicted.feature_slug === b.predicted.feature_slug
      if (isSame && isSaid) hits++
      else if (isSaid) extra++
      else if (isSame) missed++
      if (!isSame || a.gold.language === b.gold.language) continue
      across++
      if (isSaid) acrossHits++
    }
  })
  return {
    slugPairs: round(f1(hits, extra, missed)),
    slugAgreement: across === 0 ? null : round(acrossHits / across),
  }
}

const plain = (name: string | null) => (name ?? '').normalize('NFKC').toLowerCase().trim()

const FOREIGN_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Devanagari}]/u

function isSoundSummary(summary: string): boolean {
  const words = summary.trim().split(/\s+/)
  return (
    summary.trim() !== '' &&
    words.length <= 20 &&
    !FOREIGN_SCRIPT.test(summary) &&
    !/https?:|@\w+\.\w/.test(summary)
  )
}
