import { Badge, Box, Button, Progress, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConnectionLine } from '../../../src/contract/console/connections.ts'
import type { Storefront } from '../../../src/model/vocabulary.ts'
import { trackStorefronts } from '../../data/apps.ts'
import { stores } from '../../data/stores.ts'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { RowButton } from '../../ui/RowButton.tsx'

type ReachedApp = ConnectionLine['apps'][number]

/** The apps that a connection reaches. One click tracks an app and gets its reviews from the connection. */
export function ReachedApps({
  connection,
  all,
  isOwner,
}: {
  readonly connection: ConnectionLine
  readonly all: readonly ConnectionLine[]
  readonly isOwner: boolean
}) {
  const { id, store, apps } = connection
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all(
      ['stores', 'apps', 'overview', 'reviews'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
  const track = useMutation({
    mutationFn: async ({ appId }: ReachedApp) => {
      await trackStorefronts({ store, appId, storefronts: usualStorefronts(store, all) })
      await stores.takeReviews(id, appId)
    },
    onSuccess: () => notifyDone('You now track the app, with reviews from this connection.'),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const change = useMutation({
    mutationFn: ({ appId, source }: ReachedApp) =>
      source === null ? stores.takeReviews(id, appId) : stores.leaveReviews(id, appId),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const history = useMutation({
    mutationFn: ({ appId, history: import_ }: ReachedApp) =>
      import_?.state === 'running' ? stores.stopHistory(id, appId) : stores.importHistory(id, appId),
    onError: notifyFailed,
    onSettled: refresh,
  })
  return (
    <ListTable
      label="Apps of this connection"
      minWidth={560}
      columns={['App', 'Storefronts', 'Reviews from']}
      actions
    >
      {apps.map((app) => (
        <Table.Tr key={app.appId}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {app.storefronts.length === 0 ? (
              (app.name ?? app.appId)
            ) : (
              <AnchorLink to="/apps/$store/$appId" params={{ store, appId: app.appId }}>
                {app.name ?? app.appId}
              </AnchorLink>
            )}
            {app.name !== null && (
              <Text size="xs" c="dimmed">
                {app.appId}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            {app.storefronts.length === 0 ? 'Not tracked' : app.storefronts.join(', ').toUpperCase()}
          </Table.Td>
          <Table.Td>
            <Source app={app} />
            <History app={app} />
          </Table.Td>
          <Table.Td ta="right">
            {app.storefronts.length === 0
              ? isOwner && (
                  <Button
                    size="compact-sm"
                    variant="light"
                    aria-label={`Track ${app.name ?? app.appId}`}
                    loading={track.isPending && track.variables.appId === app.appId}
                    onClick={() => track.mutate(app)}
                  >
                    Track
                  </Button>
                )
              : isOwner && (
                  <>
                    {app.source?.state === 'official' && (
                      <RowButton
                        verb={HISTORY_VERBS[app.history?.state ?? 'none']}
                        of={`of ${app.name ?? app.appId}`}
                        onClick={() => history.mutate(app)}
                      />
                    )}
                    <RowButton
                      verb={app.source === null ? 'Use this connection' : 'Use public pages'}
                      of={`for ${app.name ?? app.appId}`}
                      onClick={() => change.mutate(app)}
                    />
                  </>
                )}
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}

function Source({ app: { source, storefronts } }: { readonly app: ReachedApp }) {
  if (storefronts.length === 0) return '–'
  if (source === null) return 'Public pages'
  if (source.problem !== null) {
    return (
      <>
        <Badge color="red" variant="light" tt="none">
          Failing
        </Badge>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {source.problem}
        </Text>
      </>
    )
  }
  return (
    <>
      <Badge color={source.state === 'official' ? 'teal' : 'gray'} variant="light" tt="none">
        {source.state === 'official' ? 'This connection' : 'Changing to this connection'}
      </Badge>
      {source.lastOkAt !== null && (
        <Text size="xs" c="dimmed">
          Last check <Instant at={source.lastOkAt} />
        </Text>
      )}
    </>
  )
}

const HISTORY_VERBS = {
  none: 'Import history',
  running: 'Stop import',
  stopped: 'Resume import',
  failed: 'Resume import',
  done: 'Import history again',
} as const

function History({ app: { history } }: { readonly app: ReachedApp }) {
  if (history === null) return null
  const { state, reviews, added, percent, problem } = history
  const counts = `${reviews.toLocaleString('en')} reviews read, ${added.toLocaleString('en')} new`
  const label = {
    running: 'Importing history',
    done: 'History imported',
    stopped: 'Import stopped',
    failed: 'Import failed',
  }
  return (
    <Box mt={4}>
      <Text size="xs" c={state === 'failed' ? 'red' : 'dimmed'}>
        {label[state]}
        {state === 'running' && percent !== null && `: ${percent} %`} · {counts}
      </Text>
      {state === 'running' && (
        <Progress value={percent ?? 0} size="sm" mt={2} aria-label="Progress of the import" />
      )}
      {problem !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {problem}
        </Text>
      )}
    </Box>
  )
}

/** The storefronts in which the account tracks its other apps of the store. */
function usualStorefronts(store: string, all: readonly ConnectionLine[]): Storefront[] {
  const used = all
    .filter((connection) => connection.store === store)
    .flatMap(({ apps }) => apps.flatMap(({ storefronts }) => storefronts))
  return used.length === 0 ? ['us'] : [...new Set(used)]
}
