import { Badge, Button, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionListView } from '../../src/contract/console/people.ts'
import { account, sessionsQuery } from '../data/account.ts'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { browserOf } from '../util/browser.ts'

/** The user's sessions, one per browser. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  const endOne = useMutation({
    mutationFn: ({ id }: SessionListView) => account.endSession(id),
    onSuccess: () => notifyDone('Session ended.'),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const endOthers = useMutation({
    mutationFn: account.signOutElsewhere,
    onSuccess: () => notifyDone('All other sessions are signed out.'),
    onError: notifyFailed,
    onSettled: refresh,
  })
  return (
    <Section
      title="Sessions"
      actions={
        (sessions.data?.length ?? 0) > 1 && (
          <Button
            variant="default"
            size="xs"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            Sign out other sessions
          </Button>
        )
      }
    >
      {sessions.isPending && <LoadingLines lines={2} />}
      {sessions.isError && <Failed error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.data !== undefined && (
        <ListTable
          label="Sessions"
          minWidth={480}
          columns={['Browser', 'Network address', 'Signed in', 'Last used']}
          actions
        >
          {sessions.data.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td>
                {browserOf(session.userAgent)}{' '}
                {session.current && (
                  <Badge size="xs" variant="light">
                    This browser
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>
                <Text size="sm" ff="monospace">
                  {session.clientAddress ?? 'Unknown'}
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
                    verb="Sign out"
                    of={`${browserOf(session.userAgent)}, ${session.clientAddress ?? 'unknown address'}`}
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
