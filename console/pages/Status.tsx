import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { IncidentView } from '../../src/contract/console/status.ts'
import { PageQuery } from '../components/PageQuery.tsx'
import { statusQuery } from '../data/status.ts'
import { commonTexts } from '../messages/common.ts'
import { statusTexts } from '../messages/status.tsx'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { PathLink } from '../ui/PathLink.tsx'
import { Section } from '../ui/Section.tsx'
import { WithInstants } from '../ui/WithInstants.tsx'

/** What does not work at present, by cause: since when, what it affects, what the service does and what a person should do. */
export function Status() {
  const status = useQuery(statusQuery)
  return (
    <Stack gap="lg">
      <PageQuery query={status} what={statusTexts.title} back={{ to: '/', label: commonTexts.goToOverview }}>
        {({ account, installation }) => (
          <>
            <PageHeader title={statusTexts.title} about={statusTexts.about} />
            {installation !== null && (
              <Section title={statusTexts.installation}>
                <Incidents incidents={installation} />
              </Section>
            )}
            <Section title={statusTexts.account}>
              <Incidents incidents={account} />
            </Section>
          </>
        )}
      </PageQuery>
    </Stack>
  )
}

function Incidents({ incidents }: { readonly incidents: readonly IncidentView[] }) {
  if (incidents.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        {statusTexts.allWell}
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {incidents.map((incident) => (
        <Incident key={incident.key} incident={incident} />
      ))}
    </Stack>
  )
}

function Incident({ incident }: { readonly incident: IncidentView }) {
  const { grade, what, since, effect, handling, action, page } = incident
  const isProblem = grade === 'problem'
  return (
    <Card withBorder padding="sm" component="article">
      <Group gap="xs" mb={4}>
        <Badge color={isProblem ? 'red' : 'yellow'} variant="light">
          {isProblem ? statusTexts.problem : statusTexts.note}
        </Badge>
        {since !== null && (
          <Text size="sm" c="dimmed">
            {statusTexts.since(<Instant at={since} as="clock" />)}
          </Text>
        )}
      </Group>
      <Sentence text={what} weight={600} />
      <Sentence text={[effect, handling].filter((text) => text !== null).join(' ')} />
      <Group gap="xs" align="baseline">
        <Sentence text={action} />
        {page !== null && <PathLink path={page}>{statusTexts.show}</PathLink>}
      </Group>
    </Card>
  )
}

function Sentence({ text, weight = 400 }: { readonly text: string | null; readonly weight?: number }) {
  if (text === null || text === '') return null
  return (
    <Text size="sm" fw={weight} style={{ overflowWrap: 'anywhere' }}>
      <WithInstants text={text} />
    </Text>
  )
}
