import { Alert, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { InboxTest } from '../../src/contract/console/inbox.ts'
import { INBOX_EVENTS_MAX } from '../../src/model/inbox.ts'
import { InboxTable } from '../components/inbox/InboxTable.tsx'
import { inboxLines } from '../components/inbox/inbox-lines.ts'
import { NoInbox } from '../components/inbox/NoInbox.tsx'
import { TestButton } from '../components/inbox/TestButton.tsx'
import { deliveriesQuery } from '../data/deliveries.ts'
import { inboxQuery } from '../data/inbox.ts'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'
import { counted } from '../util/numbers.ts'

const NO_FILTERS = { isFiltered: false, clear: () => {} }

/** The events of the account, shown here instead of being sent. */
export function Inbox() {
  const inbox = useQuery(inboxQuery)
  const destination = inbox.data?.destination ?? null
  return (
    <>
      <PageHeader
        title="Inbox"
        about="Your events, as a webhook would get them"
        actions={
          destination !== null && (
            <>
              <ButtonLink variant="default" to="/destinations/$id" params={{ id: destination.id }}>
                Settings
              </ButtonLink>
              <TestButton destinationId={destination.id} />
            </>
          )
        }
      />
      {inbox.isPending && <LoadingLines />}
      {inbox.isError && <Failed error={inbox.error} onRetry={() => inbox.refetch()} />}
      {inbox.data !== undefined &&
        (destination === null ? <NoInbox /> : <Events inbox={destination} tests={inbox.data.tests} />)}
    </>
  )
}

function Events({ inbox, tests }: { readonly inbox: DestinationLine; readonly tests: readonly InboxTest[] }) {
  const deliveries = useInfiniteQuery(deliveriesQuery({ destination: inbox.id }, 'deliveries'))
  const events = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? []
  const lines = inboxLines(events, tests, deliveries.hasNextPage)
  return (
    <Stack>
      {inbox.status === 'paused' && (
        <Alert color="yellow" title="The inbox is paused">
          New events are held. Resume it in its settings.
        </Alert>
      )}
      <ListStates list={deliveries} empty={lines.length === 0} what="events" filters={NO_FILTERS}>
        <Nothing inbox={inbox} />
      </ListStates>
      {lines.length > 0 && !deliveries.isPending && <InboxTable lines={lines} />}
      <MoreOf list={deliveries} what="events" />
      {lines.length > 0 && !deliveries.hasNextPage && (
        <Text size="sm" c="dimmed">
          The inbox keeps the newest {counted(INBOX_EVENTS_MAX, 'event')}.
        </Text>
      )}
    </Stack>
  )
}

function Nothing({ inbox }: { readonly inbox: DestinationLine }) {
  const apps = [...new Set(inbox.watches.map(({ appName, appId }) => appName ?? appId))].sort((a, b) =>
    a.localeCompare(b),
  )
  if (apps.length === 0 && inbox.watchSets.length === 0) {
    return (
      <Empty
        title="No subscriptions yet"
        action={
          <ButtonLink to="/destinations/$id" params={{ id: inbox.id }}>
            Add a subscription
          </ButtonLink>
        }
      >
        Choose the apps whose new reviews and rating drops you want to see here.
      </Empty>
    )
  }
  return (
    <Empty title="Waiting for the first event">
      New reviews and rating drops of {appsText(inbox, apps)} appear here as soon as their store shows them:
      hours to a day after they were written. A test event appears at once.
    </Empty>
  )
}

function appsText({ watchSets }: DestinationLine, apps: readonly string[]): string {
  if (watchSets.length > 0) return 'your apps'
  return apps.length > 3 ? counted(apps.length, 'app') : apps.join(', ')
}
