import { Alert, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SystemView } from '../../src/contract/console/system.ts'
import { PageQuery } from '../components/PageQuery.tsx'
import { FeedHealthTable } from '../components/system/FeedHealthTable.tsx'
import { Nodes } from '../components/system/Nodes.tsx'
import { Quarantine } from '../components/system/Quarantine.tsx'
import { Queues } from '../components/system/Queues.tsx'
import { Settings } from '../components/system/Settings.tsx'
import { Sources } from '../components/system/Sources.tsx'
import { StoreCard } from '../components/system/StoreCard.tsx'
import { systemQuery } from '../data/account.ts'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { WithInstants } from '../ui/WithInstants.tsx'
import { bytes } from '../util/bytes.ts'

/** The state of the installation, for operators. */
export function System() {
  const system = useQuery(systemQuery)
  return (
    <Stack gap="lg">
      <PageQuery query={system} what="Page" back={{ to: '/', label: 'Go to the overview' }}>
        {(view) => <Sections view={view} />}
      </PageQuery>
    </Stack>
  )
}

function Sections({ view }: { readonly view: SystemView }) {
  return (
    <>
      <PageHeader title="System" about={<Installation view={view} />} />
      {view.warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light">
          <WithInstants text={warning} />
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
      <Section title="Feeds" about="Failing feeds first">
        <FeedHealthTable feeds={view.feeds} />
      </Section>
      {view.sources.length > 0 && (
        <Section
          title="Fallback and frozen sources"
          about="These feeds are still checked. No action is needed."
        >
          <Sources sources={view.sources} />
        </Section>
      )}
      {view.quarantine.total > 0 && (
        <Section
          title="Quarantine"
          about="Rows of store pages that could not be parsed. The other reviews of these pages were delivered."
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
    </>
  )
}

function Installation({ view }: { readonly view: SystemView }) {
  return (
    <>
      Review Radar {view.version} · Node {view.nodeVersion} ·{' '}
      {view.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, schema {view.schemaVersion} ·{' '}
      {bytes(view.storageBytes)} stored · Started <Instant at={view.startedAt} />
    </>
  )
}
