import { Alert, Anchor, Badge, Group, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { FROZEN_BECAUSE, type SystemView } from '../../src/contract/console/system.ts'
import { STORE_NAMES } from '../components/StoreBadge.tsx'
import { systemQuery } from '../data/account.ts'
import { consoleUrl } from '../data/request.ts'
import { Facts } from '../ui/Facts.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { bytes } from '../util/bytes.ts'
import { marketName } from '../util/storefronts.ts'
import { counted } from '../util/words.ts'

/** For whoever runs the installation: what works, what does not, and what it was told to do. */
export function System() {
  const system = useQuery(systemQuery)
  if (system.isPending) return <LoadingPage />
  if (system.isLoadingError) return <Failed error={system.error} onRetry={() => system.refetch()} />
  const view = system.data
  return (
    <Stack gap="lg">
      {system.isRefetchError && <Failed error={system.error} onRetry={() => system.refetch()} />}
      <PageHeader
        title="System"
        about={
          <>
            Review Radar {view.version} on Node {view.nodeVersion},{' '}
            {view.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} schema {view.schemaVersion},{' '}
            {bytes(view.storageBytes)} stored, up since <Instant at={view.startedAt} />
          </>
        }
      />
      {view.warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light">
          {warning}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {view.stores.map((store) => (
          <StoreCard key={store.store} store={store} />
        ))}
      </SimpleGrid>
      <Section title="Queues">
        <Queues queues={view.queues} />
      </Section>
      <Section title="Feeds" about="Those that do not answer well come first">
        <Feeds feeds={view.feeds} />
      </Section>
      {view.sources.length > 0 && (
        <Section
          title="Fallback and frozen sources"
          about="Polled as before; nothing needs to be done at once"
        >
          <Sources sources={view.sources} />
        </Section>
      )}
      {view.quarantine.total > 0 && (
        <Section
          title="Quarantine"
          about="Rows of store pages that could not be read; the reviews around them were delivered"
        >
          <Quarantine quarantine={view.quarantine} />
        </Section>
      )}
      <Section title="Nodes">
        <Nodes nodes={view.nodes} />
      </Section>
      <Section title="Settings">
        <Settings settings={view.settings} />
      </Section>
    </Stack>
  )
}

function StoreCard({ store }: { readonly store: SystemView['stores'][number] }) {
  const share = Math.round(100 * store.used)
  return (
    <Section title={STORE_NAMES[store.store] ?? store.store}>
      <Text size="sm" mb={4}>
        {share} % of {store.requestsPerMinuteMax.toLocaleString('en')} requests a minute used
      </Text>
      <Progress value={share} aria-label={`${share} % of the allowed requests used`} mb="sm" />
      {store.blockedUntil !== null && (
        <Text size="sm" c="var(--mantine-color-red-text)" mb="xs">
          Backing off until <Instant at={store.blockedUntil} />, {counted(store.blocks, 'time')} in a row.
          {store.lastDetail}
        </Text>
      )}
      <Group gap="lg">
        {store.feeds.map((feed) => (
          <div key={feed.kind}>
            <Text size="xs" c="dimmed">
              {feed.kind === 'reviews' ? 'Review feeds' : 'Rating feeds'}
            </Text>
            <Text size="sm">
              {feed.active} polled, {feed.due} due, {feed.failing} failing
              {feed.fallback > 0 && `, ${feed.fallback} on a fallback source`}
              {feed.frozen > 0 && `, ${feed.frozen} may be frozen`}
            </Text>
          </div>
        ))}
      </Group>
    </Section>
  )
}

function Queues({ queues }: { readonly queues: SystemView['queues'] }) {
  const facts = [
    ['Wait for enrichment', queues.waitingForEnrichment],
    ['Wait for fan-out', queues.waitingForFanOut],
    ['Deliveries waiting', queues.pending],
    ['Held', queues.held],
    ['Dead letters', queues.dead],
    ['Resting destinations', queues.breakersOpen],
    ['Oldest due', <Instant key="oldest" at={queues.oldestDueAt} />],
  ] as const
  return <Facts facts={facts} />
}

function Feeds({ feeds }: { readonly feeds: SystemView['feeds'] }) {
  if (feeds.length === 0) return <Text c="dimmed">Nothing is polled yet.</Text>
  return (
    <ListTable minWidth={720} columns={['Feed', 'Last answer', 'Why', 'Since', 'Raw answer']}>
      {feeds.map((feed) => (
        <Table.Tr key={feed.id}>
          <FeedCell feed={feed} />
          <Table.Td>
            <Badge variant="light" color={feed.failingSince === null ? 'gray' : 'orange'} tt="none">
              {feed.outcome ?? 'none'}
            </Badge>
            <Text size="xs" c="dimmed">
              {feed.source}
            </Text>
          </Table.Td>
          <Table.Td className="foreign-text">{feed.detail}</Table.Td>
          <Table.Td>
            <Instant at={feed.failingSince} />
          </Table.Td>
          <Table.Td>
            {feed.hasRawAnswer ? (
              <Anchor href={consoleUrl(`/system/feeds/${feed.id}/raw`)} download size="sm">
                Download
              </Anchor>
            ) : (
              '–'
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}

function FeedCell({
  feed: { store, appId, kind, market },
}: {
  readonly feed: Pick<SystemView['feeds'][number], 'store' | 'appId' | 'kind' | 'market'>
}) {
  return (
    <Table.Td>
      {STORE_NAMES[store] ?? store} {appId}
      <Text size="xs" c="dimmed">
        {kind}, {marketName(store, kind, market)}
      </Text>
    </Table.Td>
  )
}

function Sources({ sources }: { readonly sources: SystemView['sources'] }) {
  return (
    <ListTable minWidth={720} columns={['Feed', 'State', 'Why', 'Since']}>
      {sources.map((feed) => (
        <Fragment key={feed.id}>
          {feed.frozen !== null && (
            <SourceRow feed={feed} state={`${feed.frozen.source} may be frozen`} since={feed.frozen.since}>
              {FROZEN_BECAUSE[feed.frozen.reason]}
            </SourceRow>
          )}
          {feed.fallback !== null && (
            <SourceRow feed={feed} state={`Served by ${feed.fallback.source}`} since={feed.fallback.since}>
              {feed.fallback.why}
            </SourceRow>
          )}
        </Fragment>
      ))}
    </ListTable>
  )
}

function SourceRow({
  feed,
  state,
  since,
  children,
}: {
  readonly feed: SystemView['sources'][number]
  readonly state: string
  readonly since: string
  readonly children: string
}) {
  return (
    <Table.Tr>
      <FeedCell feed={feed} />
      <Table.Td>{state}</Table.Td>
      <Table.Td className="foreign-text">{children}</Table.Td>
      <Table.Td>
        <Instant at={since} />
      </Table.Td>
    </Table.Tr>
  )
}

function Quarantine({ quarantine }: { readonly quarantine: SystemView['quarantine'] }) {
  const { total, rows } = quarantine
  return (
    <Stack gap="xs">
      <Text size="sm">
        {total > rows.length ? `The ${rows.length} last seen of ${total} rows. ` : ''}
        <Anchor href={consoleUrl('/system/quarantine')} download size="sm">
          Download with raw form
        </Anchor>
      </Text>
      <ListTable minWidth={720} columns={['Feed', 'Row', 'Why', 'First seen', 'Last seen']}>
        {rows.map((row) => (
          <Table.Tr key={`${row.feedId} ${row.rowKey}`}>
            <FeedCell feed={{ ...row, kind: 'reviews' }} />
            <Table.Td className="foreign-text">{row.rowKey.slice(0, 40)}</Table.Td>
            <Table.Td className="foreign-text">{row.why}</Table.Td>
            <Table.Td>
              <Instant at={row.firstSeenAt} />
            </Table.Td>
            <Table.Td>
              <Instant at={row.lastSeenAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
    </Stack>
  )
}

function Nodes({ nodes }: { readonly nodes: SystemView['nodes'] }) {
  return (
    <ListTable minWidth={480} columns={['Node', 'Version', 'Roles', 'Started', 'Last heard of', 'Clock']}>
      {nodes.map((node) => (
        <Table.Tr key={node.id}>
          <Table.Td>{node.id.slice(0, 13)}</Table.Td>
          <Table.Td>{node.version}</Table.Td>
          <Table.Td>{node.roles.join(', ')}</Table.Td>
          <Table.Td>
            <Instant at={node.startedAt} />
          </Table.Td>
          <Table.Td>
            <Instant at={node.seenAt} />
          </Table.Td>
          <Table.Td>{skewOf(node.skewMs)}</Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}

/** How far a node's clock is off the database's. */
function skewOf(skewMs: number | null) {
  if (skewMs === null) return ''
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
  if (Math.abs(skewMs) < 100) return 'In sync'
  return `${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`
}

function Settings({ settings }: { readonly settings: SystemView['settings'] }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table fz="sm">
        <Table.Tbody>
          {settings.map((setting) => (
            <Table.Tr key={setting.name}>
              <Table.Td>
                <code>{setting.name}</code>
                <Text size="xs" c="dimmed">
                  <WithCode text={setting.about} />
                </Text>
              </Table.Td>
              <Table.Td className="foreign-code">
                <WithCode text={setting.value} />
                {setting.fromDefault && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    default
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** What stands in backquotes as code. */
function WithCode({ text }: { readonly text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
}
