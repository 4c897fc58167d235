import { Badge, type BadgeProps } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  displayName,
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  THEME_NAMES,
} from '../../src/contract/console/display-names.ts'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { enrichmentTexts } from '../messages/reviews.tsx'
import { BadgeLink } from '../ui/links.tsx'

const SENTIMENT_COLORS = { positive: 'teal', neutral: 'gray', negative: 'red', mixed: 'yellow' } as const
const SEVERITY_COLORS = { low: 'gray', medium: 'orange', high: 'red' } as const

/** The results of a review's enrichment. Each badge links to the feed, filtered by its value and by `within`. */
export function EnrichmentBadges({
  enrichment,
  within,
}: {
  readonly enrichment: NonNullable<ReviewRow['enrichment']>
  readonly within: ReviewSearch
}) {
  const { sentiment, severity, feature_slug } = enrichment
  return (
    <>
      <Label color={SENTIMENT_COLORS[sentiment]} search={{ ...within, sentiment }}>
        {displayName(SENTIMENT_NAMES, sentiment)}
      </Label>
      {severity !== 'low' && (
        <Label color={SEVERITY_COLORS[severity]} search={{ ...within, severity }}>
          {enrichmentTexts.severityOf(displayName(SEVERITY_NAMES, severity))}
        </Label>
      )}
      {enrichment.is_bug_report && (
        <Label variant="outline" color="red" search={{ ...within, is_bug_report: 'true' }}>
          {enrichmentTexts.bugReport}
        </Label>
      )}
      {enrichment.is_feature_request && (
        <Label
          variant="outline"
          color="grape"
          search={
            feature_slug === null ? { ...within, is_feature_request: 'true' } : { ...within, feature_slug }
          }
        >
          {enrichment.feature_phrase === null
            ? enrichmentTexts.featureRequest
            : enrichmentTexts.featureRequestFor(enrichment.feature_phrase)}
        </Label>
      )}
      {enrichment.mentions_competitor && (
        <Badge size="sm" tt="none" variant="outline" color="indigo">
          {enrichment.competitor_named === null
            ? enrichmentTexts.mentionsCompetitor
            : enrichmentTexts.mentions(enrichment.competitor_named)}
        </Badge>
      )}
      {enrichment.themes.map((theme) => (
        <Label key={theme} variant="default" fw={500} search={{ ...within, theme }}>
          {displayName(THEME_NAMES, theme)}
        </Label>
      ))}
    </>
  )
}

function Label({
  variant = 'light',
  search,
  children,
  ...badge
}: BadgeProps & { readonly search: ReviewSearch; readonly children: ReactNode }) {
  return (
    <BadgeLink
      to="/reviews"
      search={search}
      size="sm"
      variant={variant}
      tt="none"
      style={{ cursor: 'pointer' }}
      {...badge}
    >
      {children}
    </BadgeLink>
  )
}
