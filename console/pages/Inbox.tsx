import { Alert, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { InboxTest } from '../../src/contract/console/inbox.ts'
import { INBOX_EVENTS_MAX } from '../../src/model/inbox.ts'
import { InboxTable } from '../components/inbox/InboxTable.tsx'
import { inboxLines } from '../components/inbox/inbox-lines.ts'
import { NoInbox } from '../components/inbox/NoInbox.tsx'
import { TestButton } from '../components/inbox/TestButton.tsx'
import { MayChange } from '../components/MayChange.tsx'
import { deliveriesQuery } from '../data/deliveries.ts'
import { inboxQuery } from '../data/inbox.ts'
import { inboxTexts } from '../messages/start.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'

const NO_FILTERS = { isFiltered: false, clear: () => {} }

/** The events of the account, shown here instead of being sent. */
export function Inbox() {
  const inbox = useQuery(inboxQuery)
  const destination = inbox.data?.destination ?? null
  return (
    <>
      <PageHeader
        title={inboxTexts.title}
        about={inboxTexts.about}
        actions={
          destination !== null && (
            <>
              <ButtonLink variant="default" to="/destinations/$id" params={{ id: destination.id }}>
                {inboxTexts.settings}
              </ButtonLink>
              <MayChange>
                <TestButton destinationId={destination.id} />
              </MayChange>
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
  const deliveries = useInfiniteQuery(deliveriesQuery({ hook_id: inbox.id }))
  const events = deliveries.data?.pages.flatMap((page) => page.data) ?? []
  const lines = inboxLines(events, tests, deliveries.hasNextPage)
  return (
    <Stack>
      {inbox.status === 'paused' && (
        <Alert color="yellow" title={inboxTexts.pausedTitle}>
          {inboxTexts.pausedNote}
        </Alert>
      )}
      <ListStates list={deliveries} empty={lines.length === 0} what={inboxTexts.name} filters={NO_FILTERS}>
        <Nothing inbox={inbox} />
      </ListStates>
      {lines.length > 0 && !deliveries.isPending && <InboxTable lines={lines} />}
      <MoreOf list={deliveries} what={inboxTexts.name} />
      {lines.length > 0 && !deliveries.hasNextPage && (
        <Text size="sm" c="dimmed">
          {inboxTexts.keeps(INBOX_EVENTS_MAX)}
        </Text>
      )}
    </Stack>
  )
}

function Nothing({ inbox }: { readonly inbox: DestinationLine }) {
  const apps = [...new Set(inbox.watches.map(({ app_name, app_id }) => app_name ?? app_id))].sort((a, b) =>
    a.localeCompare(b),
  )
  if (apps.length === 0 && inbox.watchSets.length === 0) {
    return (
      <Empty
        title={inboxTexts.noSubscriptions}
        action={
          <ButtonLink to="/destinations/$id" params={{ id: inbox.id }}>
            {inboxTexts.addSubscription}
          </ButtonLink>
        }
      >
        {inboxTexts.chooseApps}
      </Empty>
    )
  }
  return <Empty title={inboxTexts.waitingTitle}>{inboxTexts.waitingNote(appsText(inbox, apps))}</Empty>
}

function appsText({ watchSets }: DestinationLine, apps: readonly string[]): string {
  if (watchSets.length > 0) return inboxTexts.yourApps
  return apps.length > 3 ? inboxTexts.apps(apps.length) : apps.join(', ')
}
