import { displayName, THEME_NAMES } from '../../../src/contract/console/display-names.ts'
import { THEMES } from '../../../src/model/vocabulary.ts'
import type { ReviewSearch } from '../../data/search.ts'
import { figureTexts } from '../../messages/compare.ts'
import { featureName } from '../../util/feature-name.ts'
import { type FigureKind, type Figures, type Part, requestsOf, shareOf, topKeys } from '../../util/figures.ts'
import { averageOf } from '../app/change.ts'

/** A figure of every column. */
export type FigureRow = {
  readonly key: string
  readonly label: string
  readonly kind: FigureKind
  /** `days`: of the period. */
  readonly valueOf: (figures: Figures, days: number) => number | null
  /** Of a share, the number of reviews. */
  readonly countOf?: (figures: Figures) => number | null
  /** Null: neither more nor fewer is better. */
  readonly better: 'up' | 'down' | null
  /** Filters of the reviews behind it, besides those of the column. */
  readonly filters: ReviewSearch
}

const TOP_MAX = 8

export const VOLUME_ROWS: readonly FigureRow[] = [
  {
    key: 'reviews',
    label: figureTexts.reviews,
    kind: 'count',
    valueOf: ({ reviews }) => reviews,
    better: null,
    filters: {},
  },
  {
    key: 'per-day',
    label: figureTexts.perDay,
    kind: 'rate',
    valueOf: ({ reviews }, days) => (days === 0 ? null : reviews / days),
    better: null,
    filters: {},
  },
  {
    key: 'average',
    label: figureTexts.average,
    kind: 'average',
    valueOf: ({ stars }) => averageOf(stars),
    better: 'up',
    filters: {},
  },
]

export const STAR_ROWS: readonly FigureRow[] = [5, 4, 3, 2, 1].map((stars) =>
  shareRow(
    `stars-${stars}`,
    figureTexts.stars(stars),
    (figures) => ({ count: figures.stars[stars - 1] ?? 0, of: figures.reviews }),
    { stars: String(stars) },
    stars === 5 ? 'up' : stars === 1 ? 'down' : null,
  ),
)

export const LABEL_ROWS: readonly FigureRow[] = [
  shareRow(
    'negative',
    figureTexts.negative,
    ({ negative, enriched }) => ({ count: negative, of: enriched }),
    { sentiment: 'negative' },
    'down',
  ),
  shareRow(
    'bugs',
    figureTexts.bugReports,
    ({ bugReports, enriched }) => ({ count: bugReports, of: enriched }),
    { is_bug_report: 'true' },
    'down',
  ),
  shareRow(
    'requests',
    figureTexts.featureRequests,
    ({ featureRequests, enriched }) => ({ count: featureRequests, of: enriched }),
    { is_feature_request: 'true' },
  ),
]

/** The most frequent themes of all columns. */
export function themeRows(columns: readonly Figures[]): FigureRow[] {
  return topKeys(columns, ({ themes }) => themes, TOP_MAX).map((theme) =>
    shareRow(
      `theme-${theme}`,
      displayName(THEME_NAMES, theme),
      ({ themes, enriched }) => ({ count: themes.get(theme) ?? 0, of: enriched }),
      { theme: THEMES.find((known) => known === theme) },
    ),
  )
}

/** The most requested features of all columns. */
export function requestRows(columns: readonly Figures[]): FigureRow[] {
  return topKeys(columns, ({ features }) => features, TOP_MAX).map((slug) =>
    shareRow(
      `feature-${slug}`,
      featureName(slug),
      (figures) => ({ count: requestsOf(figures, slug), of: figures.enriched }),
      { feature_slug: slug },
    ),
  )
}

function shareRow(
  key: string,
  label: string,
  partOf: (figures: Figures) => Part,
  filters: ReviewSearch,
  better: FigureRow['better'] = null,
): FigureRow {
  return {
    key,
    label,
    kind: 'share',
    valueOf: (figures) => shareOf(partOf(figures)),
    countOf: (figures) => partOf(figures).count,
    better,
    filters,
  }
}
