import { Anchor, Badge, Code, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReviewView } from '../../src/contract/console/reviews.ts'
import { ReviewCard } from '../components/ReviewCard.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { reviewQuery } from '../data/reviews.ts'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'
import { counted, inWords } from '../util/words.ts'

/** One review in full: its words, what was understood, and where it was sent. */
export function Review() {
  const { fingerprint } = useParams({ from: '/signed-in/reviews/$fingerprint' })
  const review = useQuery(reviewQuery(fingerprint))
  if (review.isPending) return <LoadingPage />
  if (review.isLoadingError) return <Failed error={review.error} onRetry={() => review.refetch()} />
  const view = review.data
  return (
    <Stack>
      {review.isRefetchError && <Failed error={review.error} onRetry={() => review.refetch()} />}
      <PageHeader
        title={`Review of ${view.appName ?? view.appId}`}
        about={
          <>
            Published <Instant at={view.occurredAt} />, found <Instant at={view.observedAt} />
          </>
        }
      />
      <ReviewCard review={view} full />
      <Understood view={view} />
      <Sent events={view.events} />
    </Stack>
  )
}

function Understood({ view }: { readonly view: ReviewView }) {
  const { enrichment } = view
  return (
    <Section title="What was understood">
      {enrichment === null ? (
        <Text c="dimmed">{NO_ENRICHMENT[view.enrichmentFailure ?? 'none']}</Text>
      ) : (
        <>
          <Table variant="vertical" withRowBorders={false}>
            <Table.Tbody>
              {Object.entries(enrichment).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th w={190} fw={500}>
                    {inWords(name)}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Text size="xs" c="dimmed" mt="xs">
            by {view.enrichedBy ?? 'the service'}
          </Text>
        </>
      )}
      <Text size="xs" c="dimmed" mt="md" component="div">
        Review id <Code>{view.reviewId}</Code>
        <CopyIcon value={view.reviewId} what="review id" />
      </Text>
    </Section>
  )
}

const NO_ENRICHMENT: Readonly<Record<NonNullable<ReviewView['enrichmentFailure']> | 'none', string>> = {
  none: 'No enrichment yet: the review is queued, or enrichment is off.',
  engine_failed: 'No enrichment: the engine failed on this review. The log of the service has the error.',
  over_budget: 'No enrichment: reading this review took too long and was stopped.',
  worker_died: 'No enrichment: the enrichment worker ended while it read this review.',
  too_many_tries: 'No enrichment: three tries ended without a result.',
}

function shown(value: string | boolean | null | readonly string[]): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : value.map(inWords).join(', ')
}

function Sent({ events }: { readonly events: ReviewView['events'] }) {
  return (
    <Section title="Where it was sent">
      {events.length === 0 ? (
        <Text c="dimmed">
          To no destination: none had asked for it when it came. Destinations look forward, so reviews from
          before they were made are not sent.
        </Text>
      ) : (
        <Stack gap="xs">
          {events.map((event) => (
            <Text key={event.eventId} component="div">
              <StatusBadge status={event.status} />{' '}
              <Anchor
                component={Link}
                to={paths.delivery(event.eventId)}
                style={{ overflowWrap: 'anywhere' }}
              >
                {event.targetUrl}
              </Anchor>{' '}
              <Badge variant="default" size="sm" tt="none">
                {counted(event.attempts, 'attempt')}
              </Badge>
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  )
}
