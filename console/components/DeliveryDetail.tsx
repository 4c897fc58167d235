import { Card, Code, Group, Stack, Text } from '@mantine/core'
import type { DeliveryAttempt } from '../../src/contract/attempt.ts'
import type { DeliveryDetail as Detail } from '../../src/contract/v1/deliveries.ts'
import { commonTexts } from '../messages/common.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { Instant } from '../ui/Instant.tsx'
import { JsonTree } from '../ui/JsonTree.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import { Section } from '../ui/Section.tsx'
import { Stars } from '../ui/Stars.tsx'
import { duration } from '../util/time.ts'
import { deadBecause } from './AttemptDetail.tsx'
import { AttemptHistory } from './AttemptHistory.tsx'
import { subjectText } from './DeliverySubject.tsx'
import { hookName } from './destination/destination-name.ts'
import { NextAttempt } from './NextAttempt.tsx'
import { SpikeReviews } from './SpikeReviews.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { TargetBadge } from './target/TargetBadge.tsx'

/** A delivery with its event, its status and every attempt. */
export function DeliveryDetail({ page }: { readonly page: Detail }) {
  return (
    <Stack>
      <Group gap="xs">
        <StatusBadge status={page.status} />
        <TargetBadge type={page.target_type} />
        <Text size="sm" component="div">
          {deliveryTexts.to(
            <AnchorLink
              to="/destinations/$id"
              params={{ id: page.hook_id }}
              style={{ overflowWrap: 'anywhere' }}
            >
              {hookName(page)}
            </AnchorLink>,
          )}
        </Text>
      </Group>
      <Facts page={page} />
      <Subject page={page} />
      <Section title={deliveryTexts.attempts}>
        {page.history.length === 0 ? (
          <Text c="dimmed">{deliveryTexts.noAttempts}</Text>
        ) : (
          <AttemptHistory attempts={page.history} />
        )}
      </Section>
      <Section title={page.target_type === 'webhook' ? deliveryTexts.payload : commonTexts.event}>
        <Stack>
          {page.target_type !== 'webhook' && (
            <Text size="sm" c="dimmed">
              {deliveryTexts.messageNote}
            </Text>
          )}
          <JsonTree text={page.body} label={commonTexts.json} />
          <SignatureBase page={page} attempt={page.history.at(-1)} />
        </Stack>
      </Section>
    </Stack>
  )
}

function Facts({ page }: { readonly page: Detail }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      <Group gap={4} wrap="nowrap">
        <span>
          {deliveryTexts.eventLine(<Code style={{ overflowWrap: 'anywhere' }}>{page.event_id}</Code>)}
        </span>
        <CopyIcon value={page.event_id} what={deliveryTexts.eventIdName} />
      </Group>
      {deliveryTexts.facts(
        <Instant at={page.created_at} />,
        page.delivered_at !== null &&
          page.status === 'delivered' &&
          deliveryTexts.deliveredAfter(latencyOf(page.created_at, page.delivered_at)),
        page.due_at !== null && page.status === 'pending' && (
          <>
            {' · '}
            <NextAttempt at={page.due_at} />
          </>
        ),
        page.dead_reason !== null && deliveryTexts.deadLetter(deadBecause(page.dead_reason, page)),
      )}
    </Text>
  )
}

/** From the creation of an event to its delivery. */
export function latencyOf(createdAt: string, deliveredAt: string): string {
  return duration(Math.max(0, Date.parse(deliveredAt) - Date.parse(createdAt)))
}

/** The review that was sent, with a link to it, the change of the rating, or the spike with its newest reviews. */
function Subject({ page }: { readonly page: Detail }) {
  const app = page.app_name ?? page.app_id
  return (
    <Card withBorder padding="sm" component="article" aria-label={deliveryTexts.sent}>
      {page.subject.kind === 'review' ? (
        <ReviewSent page={page} rating={page.subject.rating} />
      ) : (
        <Text fw={600}>{subjectText(page)}</Text>
      )}
      {page.subject.kind === 'spike' && <SpikeReviews body={page.body} />}
      <Group gap="xs" mt={4}>
        <AnchorLink
          to="/apps/$store/$appId"
          params={{ store: page.store, appId: page.app_id }}
          size="sm"
          underline="always"
        >
          {app}
        </AnchorLink>
        {page.subject.kind === 'review' && (
          <AnchorLink
            to="/reviews/$fingerprint"
            params={{ fingerprint: page.occurrence_id }}
            size="sm"
            underline="always"
          >
            {deliveryTexts.viewReview}
          </AnchorLink>
        )}
      </Group>
    </Card>
  )
}

function ReviewSent({ page, rating }: { readonly page: Detail; readonly rating: number }) {
  const { title, body } = JSON.parse(page.body) as { title?: string | null; body?: string }
  return (
    <>
      <Stars rating={rating} />
      {title != null && (
        <Text fw={600} className="untrusted-text" dir="auto">
          {title}
        </Text>
      )}
      <Text className="untrusted-text" dir="auto" lineClamp={8}>
        {body}
      </Text>
    </>
  )
}

/** The string that `webhook-signature` signs, for comparison with the receiver's. */
function SignatureBase({
  page,
  attempt,
}: {
  readonly page: Detail
  readonly attempt: DeliveryAttempt | undefined
}) {
  const timestamp = attempt?.request_headers['webhook-timestamp']
  if (timestamp === undefined) return null
  const base = `${page.event_id}.${timestamp}.${page.body}`
  return (
    <div>
      <Group justify="space-between" gap={4}>
        <Text size="sm" fw={500}>
          {deliveryTexts.signatureBase}
        </Text>
        <CopyIcon value={base} what={deliveryTexts.signatureBaseName} />
      </Group>
      <Text size="xs" c="dimmed">
        {deliveryTexts.signatureNote}
      </Text>
      <ScrollRegion label={deliveryTexts.signatureBaseLabel} maxHeight={120}>
        <pre className="untrusted-code" style={{ margin: 0 }}>
          {base}
        </pre>
      </ScrollRegion>
    </div>
  )
}
