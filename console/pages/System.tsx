import { Alert, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SystemView } from '../../src/contract/console/system.ts'
import { PageQuery } from '../components/PageQuery.tsx'
import { UnknownPage } from '../components/RouteStates.tsx'
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
import { NavigationLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { SectionedPage } from '../ui/SectionedPage.tsx'
import { WithInstants } from '../ui/WithInstants.tsx'

type SystemSection = {
  readonly id: string
  readonly label: string
  readonly content: (view: SystemView) => ReactNode
  /** Whether there is anything to show; by default there always is. */
  readonly isShown?: (view: SystemView) => boolean
}

const SECTIONS: readonly SystemSection[] = [
  { id: 'work', label: systemTexts.work, content: (view) => <StoresAndQueues view={view} /> },
  { id: 'feeds', label: systemTexts.feeds, content: (view) => <Feeds view={view} /> },
  {
    id: 'quarantine',
    label: systemTexts.quarantine,
    content: ({ quarantine }) => (
      <Section title={systemTexts.quarantine} about={systemTexts.quarantineAbout}>
        <Quarantine quarantine={quarantine} />
      </Section>
    ),
    isShown: ({ quarantine }) => quarantine.total > 0,
  },
  {
    id: 'nodes',
    label: systemTexts.nodes,
    content: ({ nodes }) => (
      <Section title={systemTexts.nodes}>
        <Nodes nodes={nodes} />
      </Section>
    ),
  },
  {
    id: 'settings',
    label: systemTexts.settings,
    content: ({ settings }) => (
      <Section title={systemTexts.settings}>
        <Settings settings={settings} />
      </Section>
    ),
  },
]

/** The state of the installation, for operators: each section has an address. */
export function System() {
  const system = useQuery(systemQuery)
  const { section = 'work' } = useParams({ strict: false })
  const shown = SECTIONS.find(({ id }) => id === section)
  if (shown === undefined) return <UnknownPage />
  return (
    <Stack gap="lg">
      <PageQuery query={system} what={systemTexts.page} back={{ to: '/', label: commonTexts.goToOverview }}>
        {(view) => <Sections view={view} shown={shown} />}
      </PageQuery>
    </Stack>
  )
}

function Sections({ view, shown }: { readonly view: SystemView; readonly shown: SystemSection }) {
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
      <SectionedPage
        label={systemTexts.sections}
        sections={SECTIONS.filter(({ id, isShown }) => id === shown.id || isShown?.(view) !== false)}
        shown={shown.id}
        link={(id, given) => <NavigationLink to="/system/$section" params={{ section: id }} {...given} />}
      >
        {shown.content(view)}
      </SectionedPage>
    </>
  )
}

function StoresAndQueues({ view }: { readonly view: SystemView }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {view.stores.map((store) => (
          <StoreCard key={store.store} store={store} />
        ))}
      </SimpleGrid>
      <Section title={systemTexts.queues}>
        <Queues queues={view.queues} />
      </Section>
    </>
  )
}

function Feeds({ view }: { readonly view: SystemView }) {
  return (
    <>
      {view.sources.length > 0 && (
        <Section title={systemTexts.sources} about={systemTexts.sourcesAbout}>
          <Sources sources={view.sources} />
        </Section>
      )}
      <Section title={systemTexts.feeds} about={systemTexts.feedsAbout}>
        <FeedHealthTable feeds={view.feeds} />
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
