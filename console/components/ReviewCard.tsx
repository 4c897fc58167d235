import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReviewLine } from '../../src/contract/console/reviews.ts'
import { Instant } from '../ui/Instant.tsx'
import { paths } from '../util/paths.ts'
import { languageName, marketName } from '../util/storefronts.ts'
import { inWords } from '../util/words.ts'
import { Stars } from './Stars.tsx'
import { StoreBadge } from './StoreBadge.tsx'

const SENTIMENT_COLORS = { positive: 'teal', neutral: 'gray', negative: 'red', mixed: 'yellow' } as const
const SEVERITY_COLORS = { low: 'gray', medium: 'orange', high: 'red' } as const

/** One review in a list: its words as text, whatever they hold, and what was understood of them. */
export function ReviewCard({
  review,
  full = false,
}: {
  readonly review: ReviewLine
  readonly full?: boolean
}) {
  const { enrichment } = review
  return (
    <Card withBorder padding="md" component="article" aria-label={`Review by ${review.author ?? 'somebody'}`}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Stars rating={review.rating} />
            {!full && (
              <Text size="sm" fw={500}>
                {review.appName ?? review.appId}
              </Text>
            )}
            <StoreBadge store={review.store} />
          </Group>
          <Text size="sm" c="dimmed">
            <Instant at={review.occurredAt} />
          </Text>
        </Group>
        <div>
          {review.title !== null && (
            <Text fw={600} className="foreign-text" dir="auto">
              {review.title}
            </Text>
          )}
          <Text className="foreign-text" dir="auto" {...(full ? {} : { lineClamp: 6 })}>
            {review.body}
          </Text>
        </div>
        {enrichment !== null && enrichment.language !== 'en' && (
          <Text size="sm" c="dimmed">
            {enrichment.summary_en}
          </Text>
        )}
        <Group gap={6}>{enrichment !== null && <EnrichmentBadges enrichment={enrichment} />}</Group>
        <Text size="xs" c="dimmed">
          {[
            review.author ?? 'Anonymous',
            marketName(review.store, 'reviews', review.market),
            enrichment === null ? null : `written in ${languageName(enrichment.language)}`,
            review.appVersion === null ? null : `version ${review.appVersion}`,
            review.edited === true ? 'edited' : null,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
          {!full && (
            <>
              {' · '}
              <Anchor component={Link} to={paths.review(review.fingerprint)} size="xs" underline="always">
                Details
              </Anchor>
            </>
          )}
        </Text>
      </Stack>
    </Card>
  )
}

function EnrichmentBadges({ enrichment }: { readonly enrichment: NonNullable<ReviewLine['enrichment']> }) {
  return (
    <>
      <Badge size="sm" variant="light" color={SENTIMENT_COLORS[enrichment.sentiment]} tt="none">
        {enrichment.sentiment}
      </Badge>
      {enrichment.severity !== 'low' && (
        <Badge size="sm" variant="light" color={SEVERITY_COLORS[enrichment.severity]} tt="none">
          {enrichment.severity} severity
        </Badge>
      )}
      {enrichment.is_bug_report && (
        <Badge size="sm" variant="outline" color="red" tt="none">
          bug
        </Badge>
      )}
      {enrichment.is_feature_request && (
        <Badge size="sm" variant="outline" color="grape" tt="none">
          asks for {enrichment.feature_phrase ?? 'something'}
        </Badge>
      )}
      {enrichment.mentions_competitor && (
        <Badge size="sm" variant="outline" color="indigo" tt="none">
          {enrichment.competitor_named ?? 'a competitor'}
        </Badge>
      )}
      {enrichment.themes.map((theme) => (
        <Badge key={theme} size="sm" variant="default" tt="none" fw={500}>
          {inWords(theme)}
        </Badge>
      ))}
    </>
  )
}
