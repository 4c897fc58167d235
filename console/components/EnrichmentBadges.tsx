import { Badge, type BadgeProps } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  displayName,
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  THEME_NAMES,
} from '../../src/contract/console/display-names.ts'
import type { ReviewLine } from '../../src/contract/console/reviews.ts'

const SENTIMENT_COLORS = { positive: 'teal', neutral: 'gray', negative: 'red', mixed: 'yellow' } as const
const SEVERITY_COLORS = { low: 'gray', medium: 'orange', high: 'red' } as const

/** The results of a review's enrichment. */
export function EnrichmentBadges({
  enrichment,
}: {
  readonly enrichment: NonNullable<ReviewLine['enrichment']>
}) {
  const { sentiment, severity } = enrichment
  return (
    <>
      <Label color={SENTIMENT_COLORS[sentiment]}>{displayName(SENTIMENT_NAMES, sentiment)}</Label>
      {severity !== 'low' && (
        <Label color={SEVERITY_COLORS[severity]}>{displayName(SEVERITY_NAMES, severity)} severity</Label>
      )}
      {enrichment.is_bug_report && (
        <Label variant="outline" color="red">
          Bug report
        </Label>
      )}
      {enrichment.is_feature_request && (
        <Label variant="outline" color="grape">
          {enrichment.feature_phrase === null
            ? 'Feature request'
            : `Feature request: ${enrichment.feature_phrase}`}
        </Label>
      )}
      {enrichment.mentions_competitor && (
        <Label variant="outline" color="indigo">
          {enrichment.competitor_named === null
            ? 'Mentions a competitor'
            : `Mentions ${enrichment.competitor_named}`}
        </Label>
      )}
      {enrichment.themes.map((theme) => (
        <Label key={theme} variant="default" fw={500}>
          {displayName(THEME_NAMES, theme)}
        </Label>
      ))}
    </>
  )
}

function Label({ variant = 'light', ...badge }: BadgeProps & { readonly children: ReactNode }) {
  return <Badge size="sm" variant={variant} tt="none" {...badge} />
}
