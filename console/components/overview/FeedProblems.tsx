import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { overviewTexts, whatToDo } from '../../messages/overview.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { marketName } from '../../util/storefronts.ts'
import { HealthBadge } from '../HealthBadge.tsx'

/** During an outage of a store every app has a line. */
const LINES_SHOWN = 10
/** With more, only their number is shown. */
const PLACES_NAMED_MAX = 4

/** Apps with feeds whose last check did not succeed: one line for each app and state, with what to do. */
export function FeedProblems({
  problems,
  stopped,
}: {
  readonly problems: Overview['feedProblems']
  readonly stopped: Overview['stopped']
}) {
  const [opened, { open }] = useDisclosure(false)
  const shown = opened ? problems : problems.slice(0, LINES_SHOWN)
  return (
    <Section title={overviewTexts.feedProblems}>
      {problems.length === 0 ? (
        <Text c="dimmed" size="sm">
          {stopped === null ? overviewTexts.allHealthy : overviewTexts.noneChecked}
        </Text>
      ) : (
        <Stack gap="sm">
          {shown.map((problem) => (
            <Problem key={`${problem.store}/${problem.appId}/${problem.health}`} problem={problem} />
          ))}
          {shown.length < problems.length && (
            <Button variant="default" size="xs" onClick={open} style={{ alignSelf: 'flex-start' }}>
              {overviewTexts.showAllProblems(problems.length)}
            </Button>
          )}
        </Stack>
      )}
    </Section>
  )
}

function Problem({ problem }: { readonly problem: Overview['feedProblems'][number] }) {
  const { store, appId, appName, health, reason, since } = problem
  return (
    <div>
      <Group gap="xs">
        <AnchorLink to="/apps/$store/$appId" params={{ store, appId }}>
          {appName ?? appId}
        </AnchorLink>
        <HealthBadge health={health} reason={reason} />
        <Text size="sm" c="dimmed">
          {placesOf(problem)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {reason}
        {since !== null && <>{overviewTexts.since(<Instant at={since} as="clock" />)}</>}
      </Text>
      <Text size="xs">{whatToDo[health]}</Text>
    </div>
  )
}

/** The storefronts and languages, each once for reviews and rating. */
function placesOf({ store, feeds, places }: Overview['feedProblems'][number]): string {
  const names = new Set(places.map(({ kind, market }) => marketName(store, kind, market)))
  const areNamed = names.size > 0 && names.size <= PLACES_NAMED_MAX
  return overviewTexts.feedsIn(feeds, areNamed ? [...names].join(', ') : null)
}
