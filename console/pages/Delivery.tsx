import { Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DeliveryPage } from '../../src/contract/console/deliveries.ts'
import {
  displayName,
  EVENT_TYPE_NAMES,
  inSentence,
  REASON_NAMES,
} from '../../src/contract/console/display-names.ts'
import { AttemptHistory } from '../components/AttemptHistory.tsx'
import { DeliveryActions } from '../components/DeliveryActions.tsx'
import { ForeignJson } from '../components/ForeignJson.tsx'
import { NextAttempt } from '../components/NextAttempt.tsx'
import { PageQuery } from '../components/PageQuery.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { deliveryQuery } from '../data/deliveries.ts'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'

const route = getRouteApi('/signed-in/deliveries/$eventId')

/** One delivery: its payload and every attempt. */
export function Delivery() {
  const { eventId } = route.useParams()
  const delivery = useQuery(deliveryQuery(eventId))
  return (
    <Stack>
      <PageQuery query={delivery} what="Delivery" back={{ to: '/deliveries', label: 'Back to deliveries' }}>
        {(page) => (
          <>
            <PageHeader
              title={displayName(EVENT_TYPE_NAMES, page.eventType)}
              about={
                <>
                  <StatusBadge status={page.status} /> to{' '}
                  <AnchorLink
                    to="/destinations/$id"
                    params={{ id: page.hookId }}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {page.targetUrl}
                  </AnchorLink>
                </>
              }
              actions={<DeliveryActions page={page} />}
            />
            <Summary page={page} />
            <Section title="Payload">
              <ForeignJson text={page.body} label="JSON" />
            </Section>
            <Section title="Attempts">
              {page.history.length === 0 ? (
                <Text c="dimmed">No attempts yet.</Text>
              ) : (
                <AttemptHistory attempts={page.history} />
              )}
            </Section>
          </>
        )}
      </PageQuery>
    </Stack>
  )
}

function Summary({ page }: { readonly page: DeliveryPage }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      Event <Code style={{ overflowWrap: 'anywhere' }}>{page.eventId}</Code>{' '}
      <CopyIcon value={page.eventId} what="event ID" /> Created <Instant at={page.createdAt} />
      {page.dueAt !== null && page.status === 'pending' && (
        <>
          {' · '}
          <NextAttempt at={page.dueAt} />
        </>
      )}
      {page.deadReason !== null && (
        <> · Dead letter: {inSentence(displayName(REASON_NAMES, page.deadReason))}</>
      )}
    </Text>
  )
}
