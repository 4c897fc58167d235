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
import { commonTexts } from '../messages/common.ts'
import { systemTexts } from '../messages/system.tsx'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { WithInstants } from '../ui/WithInstants.tsx'

/** The state of the installation, for operators. */
export function System() {
  const system = useQuery(systemQuery)
  return (
    <Stack gap="lg">
      <PageQuery query={system} what={systemTexts.page} back={{ to: '/', label: commonTexts.goToOverview }}>
        {(view) => <Sections view={view} />}
      </PageQuery>
    </Stack>
  )
}

function Sections({ view }: { readonly view: SystemView }) {
  return (
    <>
      <PageHeader title={systemTexts.title} about={<Installation view={view} />} />
      {view.reasons.map((reason) => (
        <Alert key={reason} color="red" title={systemTexts.notReady}>
          <WithInstants text={reason} />
        </Alert>
      ))}
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
      <Section title={systemTexts.queues}>
        <Queues queues={view.queues} />
      </Section>
      <Section title={systemTexts.feeds} about={systemTexts.feedsAbout}>
        <FeedHealthTable feeds={view.feeds} />
      </Section>
      {view.sources.length > 0 && (
        <Section title={systemTexts.sources} about={systemTexts.sourcesAbout}>
          <Sources sources={view.sources} />
        </Section>
      )}
      {view.quarantine.total > 0 && (
        <Section title={systemTexts.quarantine} about={systemTexts.quarantineAbout}>
          <Quarantine quarantine={view.quarantine} />
        </Section>
      )}
      <Section title={systemTexts.nodes}>
        <Nodes nodes={view.nodes} />
      </Section>
      <Section title={systemTexts.settings}>
        <Settings settings={view.settings} />
      </Section>
    </>
  )
}

function Installation({ view }: { readonly view: SystemView }) {
  return (
    <>
      {systemTexts.installation(
        view.version,
        view.nodeVersion,
        view.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
        view.schemaVersion,
        view.storageBytes,
        view.diskFreeBytes,
        <Instant at={view.startedAt} />,
      )}
    </>
  )
}
