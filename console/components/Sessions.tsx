import { Badge, Button, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionListView } from '../../src/contract/console/people.ts'
import { account, sessionsQuery } from '../data/account.ts'
import { sessionTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { browserOf } from './browser.ts'

/** The user's sessions, one per browser. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  const endOne = useMutation({
    mutationFn: ({ id }: SessionListView) => account.endSession(id),
    onSuccess: () => notifyDone(sessionTexts.ended),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const endOthers = useMutation({
    mutationFn: account.signOutElsewhere,
    onSuccess: () => notifyDone(sessionTexts.othersEnded),
    onError: notifyFailed,
    onSettled: refresh,
  })
  return (
    <Section
      title={sessionTexts.title}
      actions={
        (sessions.data?.length ?? 0) > 1 && (
          <Button
            variant="default"
            size="xs"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            {sessionTexts.endOthers}
          </Button>
        )
      }
    >
      {sessions.isPending && <LoadingLines lines={2} />}
      {sessions.isError && <Failed error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.data !== undefined && (
        <ListTable
          label={sessionTexts.title}
          minWidth={480}
          columns={[
            sessionTexts.browser,
            sessionTexts.networkAddress,
            sessionTexts.signedIn,
            commonTexts.lastUsed,
          ]}
          actions
        >
          {sessions.data.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td>
                {browserOf(session.userAgent)}{' '}
                {session.current && (
                  <Badge size="xs" variant="light">
                    {sessionTexts.thisBrowser}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>
                <Text size="sm" ff="monospace">
                  {session.clientAddress ?? commonTexts.unknown}
                </Text>
              </Table.Td>
              <Table.Td>
                <Instant at={session.signedInAt} />
              </Table.Td>
              <Table.Td>
                <Instant at={session.lastUsedAt} />
              </Table.Td>
              <Table.Td ta="right">
                {!session.current && (
                  <RowButton
                    verb={sessionTexts.end}
                    of={`${browserOf(session.userAgent)}, ${session.clientAddress ?? sessionTexts.unknownAddress}`}
                    destructive
                    onClick={() => endOne.mutate(session)}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
    </Section>
  )
}
