import { Code, Table, Text } from '@mantine/core'
import {
  displayName,
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  THEME_NAMES,
} from '../../src/contract/console/display-names.ts'
import type { ReviewLine, ReviewView } from '../../src/contract/console/reviews.ts'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { Section } from '../ui/Section.tsx'
import { languageName } from '../util/storefronts.ts'

const NO_ENRICHMENT: Readonly<Record<NonNullable<ReviewView['enrichmentFailure']> | 'none', string>> = {
  none: 'Not enriched: the review is queued, or enrichment is off.',
  engine_failed: 'Not enriched: the engine failed on this review. See the log of the service.',
  over_budget: 'Not enriched: the engine exceeded its time limit.',
  worker_died: 'Not enriched: the enrichment worker crashed on this review.',
  too_many_tries: 'Not enriched: three attempts failed.',
}

/** The enrichment of a review, without empty fields. */
export function EnrichmentFacts({ view }: { readonly view: ReviewView }) {
  const { enrichment } = view
  return (
    <Section title="Enrichment">
      {enrichment === null ? (
        <Text c="dimmed">{NO_ENRICHMENT[view.enrichmentFailure ?? 'none']}</Text>
      ) : (
        <>
          <Table variant="vertical" withRowBorders={false}>
            <Table.Tbody>
              {factsOf(enrichment).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th w={190} fw={500}>
                    {name}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {view.enrichedBy !== null && (
            <Text size="xs" c="dimmed" mt="xs">
              Enriched by {view.enrichedBy}
            </Text>
          )}
        </>
      )}
      <Text size="xs" c="dimmed" mt="md" component="div">
        Review ID <Code>{view.reviewId}</Code>
        <CopyIcon value={view.reviewId} what="review ID" />
      </Text>
    </Section>
  )
}

function factsOf(enrichment: NonNullable<ReviewLine['enrichment']>): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    ['Summary', enrichment.summary_en],
    ['Sentiment', displayName(SENTIMENT_NAMES, enrichment.sentiment)],
    ['Severity', displayName(SEVERITY_NAMES, enrichment.severity)],
    ['Themes', enrichment.themes.map((theme) => displayName(THEME_NAMES, theme)).join(', ')],
    ['Other topic', enrichment.other_topic],
    ['Bug report', enrichment.is_bug_report ? 'Yes' : 'No'],
    ['Feature request', enrichment.is_feature_request ? (enrichment.feature_phrase ?? 'Yes') : 'No'],
    ['Feature slug', enrichment.feature_slug],
    ['Competitor', enrichment.mentions_competitor ? (enrichment.competitor_named ?? 'Yes') : null],
    ['Language', languageName(enrichment.language)],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
}
