import { Badge, Box, Button, Progress, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StoreConnectionView } from '../../../src/contract/v1/store-connections.ts'
import type { Storefront } from '../../../src/model/vocabulary.ts'
import { trackStorefronts } from '../../data/apps.ts'
import { stores } from '../../data/stores.ts'
import { reachedAppTexts } from '../../messages/stores.tsx'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { RowButton } from '../../ui/RowButton.tsx'

type ReachedApp = StoreConnectionView['apps'][number]

/** The apps that a connection reaches. One click tracks an app and gets its reviews from the connection. */
export function ReachedApps({
  connection,
  all,
  isOwner,
}: {
  readonly connection: StoreConnectionView
  readonly all: readonly StoreConnectionView[]
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
    mutationFn: async ({ app_id }: ReachedApp) => {
      await trackStorefronts({ store, app_id }, usualStorefronts(store, all))
      await stores.takeReviews(id, app_id)
    },
    onSuccess: () => notifyDone(reachedAppTexts.tracked),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const change = useMutation({
    mutationFn: ({ app_id, source }: ReachedApp) =>
      source === null ? stores.takeReviews(id, app_id) : stores.leaveReviews(id, app_id),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const history = useMutation({
    mutationFn: ({ app_id, history: import_ }: ReachedApp) =>
      import_?.state === 'running' ? stores.stopHistory(id, app_id) : stores.importHistory(id, app_id),
    onError: notifyFailed,
    onSettled: refresh,
  })
  return (
    <ListTable
      label={reachedAppTexts.label}
      minWidth={560}
      columns={[reachedAppTexts.app, reachedAppTexts.storefronts, reachedAppTexts.reviewsFrom]}
      actions
    >
      {apps.map((app) => (
        <Table.Tr key={app.app_id}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {app.countries.length === 0 ? (
              (app.name ?? app.app_id)
            ) : (
              <AnchorLink to="/apps/$store/$appId" params={{ store, appId: app.app_id }}>
                {app.name ?? app.app_id}
              </AnchorLink>
            )}
            {app.name !== null && (
              <Text size="xs" c="dimmed">
                {app.app_id}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            {app.countries.length === 0 ? reachedAppTexts.notTracked : app.countries.join(', ').toUpperCase()}
          </Table.Td>
          <Table.Td>
            <Source app={app} all={all} />
            <History app={app} />
          </Table.Td>
          <Table.Td ta="right">
            {app.countries.length === 0
              ? isOwner && (
                  <Button
                    size="compact-sm"
                    variant="light"
                    aria-label={reachedAppTexts.trackApp(app.name ?? app.app_id)}
                    loading={track.isPending && track.variables.app_id === app.app_id}
                    onClick={() => track.mutate(app)}
                  >
                    {reachedAppTexts.track}
                  </Button>
                )
              : isOwner && (
                  <>
                    {app.source?.state === 'official' && (
                      <RowButton
                        verb={HISTORY_VERBS[app.history?.state ?? 'none']}
                        of={reachedAppTexts.ofApp(app.name ?? app.app_id)}
                        onClick={() => history.mutate(app)}
                      />
                    )}
                    <RowButton
                      verb={
                        app.source === null ? reachedAppTexts.useConnection : reachedAppTexts.usePublicPages
                      }
                      of={reachedAppTexts.forApp(app.name ?? app.app_id)}
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

function Source({
  app: { source, source_connection_id, countries },
  all,
}: {
  readonly app: ReachedApp
  readonly all: readonly StoreConnectionView[]
}) {
  if (countries.length === 0) return '–'
  if (source === null) {
    return all.find(({ id }) => id === source_connection_id)?.name ?? reachedAppTexts.publicPages
  }
  if (source.problem !== null) {
    return (
      <>
        <Badge color="red" variant="light" tt="none">
          {reachedAppTexts.failing}
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
        {source.state === 'official' ? reachedAppTexts.thisConnection : reachedAppTexts.changing}
      </Badge>
      {source.last_ok_at !== null && (
        <Text size="xs" c="dimmed">
          {reachedAppTexts.lastCheck(<Instant at={source.last_ok_at} />)}
        </Text>
      )}
    </>
  )
}

const HISTORY_VERBS = {
  none: reachedAppTexts.importHistory,
  running: reachedAppTexts.stopImport,
  stopped: reachedAppTexts.resumeImport,
  failed: reachedAppTexts.resumeImport,
  done: reachedAppTexts.importAgain,
} as const

function History({ app: { history } }: { readonly app: ReachedApp }) {
  if (history === null) return null
  const { state, reviews, added, percent, problem } = history
  const counts = reachedAppTexts.importCounts(reviews, added)
  const label = {
    running: reachedAppTexts.importing,
    done: reachedAppTexts.imported,
    stopped: reachedAppTexts.importStopped,
    failed: reachedAppTexts.importFailed,
  }
  return (
    <Box mt={4}>
      <Text size="xs" c={state === 'failed' ? 'red' : 'dimmed'}>
        {label[state]}
        {state === 'running' && percent !== null && `: ${percent} %`} · {counts}
      </Text>
      {state === 'running' && (
        <Progress value={percent ?? 0} size="sm" mt={2} aria-label={reachedAppTexts.importProgress} />
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
function usualStorefronts(store: string, all: readonly StoreConnectionView[]): Storefront[] {
  const used = all
    .filter((connection) => connection.store === store)
    .flatMap(({ apps }) => apps.flatMap(({ countries }) => countries))
  return used.length === 0 ? ['us'] : [...new Set(used)]
}
