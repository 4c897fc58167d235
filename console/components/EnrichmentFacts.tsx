import { Code, Table, Text } from '@mantine/core'
import {
  displayName,
  ENGINE_NAMES,
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  THEME_NAMES,
} from '../../src/contract/console/display-names.ts'
import { languageName } from '../../src/contract/console/market-names.ts'
import type { ReviewDetail, ReviewRow } from '../../src/contract/v1/reviews.ts'
import { commonTexts } from '../messages/common.ts'
import { enrichmentTexts } from '../messages/reviews.tsx'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { Section } from '../ui/Section.tsx'

const NO_ENRICHMENT: Readonly<Record<NonNullable<ReviewDetail['enrichment_failure']> | 'none', string>> = {
  none: enrichmentTexts.queued,
  engine_failed: enrichmentTexts.engineFailed,
  over_budget: enrichmentTexts.overBudget,
  worker_died: enrichmentTexts.workerDied,
  too_many_tries: enrichmentTexts.tooManyTries,
}

/** The enrichment of a review, without empty fields. */
export function EnrichmentFacts({ view }: { readonly view: ReviewDetail }) {
  const { enrichment } = view
  return (
    <Section title={enrichmentTexts.title}>
      {enrichment === null ? (
        <Text c="dimmed">{NO_ENRICHMENT[view.enrichment_failure ?? 'none']}</Text>
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
          {view.enriched_by !== null && (
            <Text size="xs" c="dimmed" mt="xs">
              {enrichmentTexts.enrichedBy(displayName(ENGINE_NAMES, view.enriched_by))}
            </Text>
          )}
        </>
      )}
      <Text size="xs" c="dimmed" mt="md" component="div">
        {enrichmentTexts.reviewId(
          <Code>{view.review_id}</Code>,
          <CopyIcon value={view.review_id} what={enrichmentTexts.reviewIdName} />,
        )}
      </Text>
    </Section>
  )
}

function factsOf(enrichment: NonNullable<ReviewRow['enrichment']>): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    [enrichmentTexts.summary, enrichment.summary_en],
    [enrichmentTexts.sentiment, displayName(SENTIMENT_NAMES, enrichment.sentiment)],
    [enrichmentTexts.severity, displayName(SEVERITY_NAMES, enrichment.severity)],
    [enrichmentTexts.themes, enrichment.themes.map((theme) => displayName(THEME_NAMES, theme)).join(', ')],
    [enrichmentTexts.otherTopic, enrichment.other_topic],
    [enrichmentTexts.bugReport, enrichment.is_bug_report ? commonTexts.yes : commonTexts.no],
    [
      enrichmentTexts.featureRequest,
      enrichment.is_feature_request ? (enrichment.feature_phrase ?? commonTexts.yes) : commonTexts.no,
    ],
    [enrichmentTexts.featureSlug, enrichment.feature_slug],
    [
      enrichmentTexts.competitor,
      enrichment.mentions_competitor ? (enrichment.competitor_named ?? commonTexts.yes) : null,
    ],
    [enrichmentTexts.language, languageName(enrichment.language)],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
}
