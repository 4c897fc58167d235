import { Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { Section } from '../../ui/Section.tsx'
import { counted, number } from '../../util/numbers.ts'
import { FeedTable } from './FeedTable.tsx'

/** The feeds of an app, collapsed under a summary of their health. */
export function Feeds({ page }: { readonly page: AppPage }) {
  const [opened, { toggle }] = useDisclosure(false)
  const healthy = page.feeds.filter(({ health }) => health === 'well').length
  const unhealthy = page.feeds.length - healthy
  return (
    <Section
      title="Feeds"
      about={
        unhealthy === 0
          ? `${counted(healthy, 'feed')}, all healthy`
          : `${number(healthy)} of ${counted(page.feeds.length, 'feed')} healthy`
      }
      actions={
        <Button variant="default" size="xs" onClick={toggle} aria-expanded={opened}>
          {opened ? 'Hide feeds' : 'Show feeds'}
        </Button>
      }
    >
      <Collapse expanded={opened}>{opened && <FeedTable page={page} />}</Collapse>
    </Section>
  )
}
