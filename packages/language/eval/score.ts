/** Accuracy figures of predictions against labels. docs/enrichment.md defines them. */
import type { Enrichment } from '../../../src/model/enrichment.ts'
import { SENTIMENTS, SEVERITIES } from '../../../src/model/vocabulary.ts'
import type { Labelled } from './labelled.ts'

export type Pair = { readonly gold: Labelled['labels']; readonly predicted: Enrichment }
export type YesNo = { readonly precision: number; readonly recall: number; readonly f1: number }

/** Every figure is a share between 0 and 1; `slugAcrossLanguages` is null unless two languages request the same feature. */
export type Scores = {
  readonly reviews: number
  readonly language: number
  readonly sentiment: number
  readonly themes: number
  readonly themesExact: number
  readonly bug: YesNo
  readonly request: YesNo
  readonly severity: number
  readonly severityHighRecall: number
  readonly competitor: YesNo
  readonly competitorName: number
  readonly slugPairs: number
  readonly slugAcrossLanguages: number | null
}

/** All figures of `pairs`. A class that neither labels nor predictions hold counts 0 in a macro mean, as in the label guide. */
export function score(pairs: readonly Pair[]): Scores {
  const named = pairs.filter(({ gold }) => gold.competitor_named !== null)
  return {
    reviews: pairs.length,
    language: share(pairs, ({ gold, predicted }) => gold.language === predicted.language),
    sentiment: macroF1(
      pairs.map(({ gold, predicted }) => [gold.sentiment, predicted.sentiment]),
      SENTIMENTS,
    ),
    themes: themesMicroF1(pairs),
    themesExact: share(pairs, ({ gold, predicted }) => sameSet(gold.themes, predicted.themes)),
    bug: yesNo(pairs.map(({ gold, predicted }) => [gold.is_bug_report, predicted.is_bug_report])),
    request: yesNo(
      pairs.map(({ gold, predicted }) => [gold.is_feature_request, predicted.is_feature_request]),
    ),
    severity: macroF1(
      pairs.map(({ gold, predicted }) => [gold.severity, predicted.severity]),
      SEVERITIES,
    ),
    severityHighRecall: yesNo(
      pairs.map(({ gold, predicted }) => [gold.severity === 'high', predicted.severity === 'high']),
    ).recall,
    competitor: yesNo(
      pairs.map(({ gold, predicted }) => [gold.mentions_competitor, predicted.mentions_competitor]),
    ),
    competitorName: share(
      named,
      ({ gold, predicted }) => plain(gold.competitor_named) === plain(predicted.competitor_named),
    ),
    ...slugs(pairs),
  }
}

export function yesNo(answers: readonly (readonly [gold: boolean, predicted: boolean])[]): YesNo {
  const hits = answers.filter(([gold, predicted]) => gold && predicted).length
  const extra = answers.filter(([gold, predicted]) => !gold && predicted).length
  const missed = answers.filter(([gold, predicted]) => gold && !predicted).length
  return {
    precision: ratio(hits, hits + extra),
    recall: ratio(hits, hits + missed),
    f1: f1(hits, extra, missed),
  }
}

/** The unweighted mean of the F1 of each class. */
export function macroF1(
  answers: readonly (readonly [gold: string, predicted: string])[],
  classes: readonly string[],
): number {
  const each = classes.map(
    (one) => yesNo(answers.map(([gold, predicted]) => [gold === one, predicted === one])).f1,
  )
  return ratio(
    each.reduce((sum, figure) => sum + figure, 0),
    classes.length,
  )
}

function themesMicroF1(pairs: readonly Pair[]): number {
  let hits = 0
  let extra = 0
  let missed = 0
  for (const { gold, predicted } of pairs) {
    hits += predicted.themes.filter((theme) => gold.themes.includes(theme)).length
    extra += predicted.themes.filter((theme) => !gold.themes.includes(theme)).length
    missed += gold.themes.filter((theme) => !predicted.themes.includes(theme)).length
  }
  return f1(hits, extra, missed)
}

/** Over all pairs of requested features: the same feature should get the same slug, different ones different slugs. */
function slugs(pairs: readonly Pair[]): Pick<Scores, 'slugPairs' | 'slugAcrossLanguages'> {
  const requested = pairs.filter(({ gold }) => gold.is_feature_request)
  const counts = { hits: 0, extra: 0, missed: 0, across: 0, acrossHits: 0 }
  requested.forEach((one, index) => {
    for (const other of requested.slice(index + 1)) {
      const same = one.gold.feature_key === other.gold.feature_key
      const sameSlug =
        one.predicted.feature_slug !== null && one.predicted.feature_slug === other.predicted.feature_slug
      if (same && sameSlug) counts.hits++
      else if (sameSlug) counts.extra++
      else if (same) counts.missed++
      if (!same || one.gold.language === other.gold.language) continue
      counts.across++
      if (sameSlug) counts.acrossHits++
    }
  })
  return {
    slugPairs: f1(counts.hits, counts.extra, counts.missed),
    slugAcrossLanguages: counts.across === 0 ? null : counts.acrossHits / counts.across,
  }
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).size === new Set(other).size && one.every((item) => other.includes(item))
}

function plain(name: string | null): string {
  return (name ?? '').normalize('NFKC').toLowerCase().trim()
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return ratio(items.filter(holds).length, items.length)
}

function f1(hits: number, extra: number, missed: number): number {
  return ratio(2 * hits, 2 * hits + extra + missed)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
