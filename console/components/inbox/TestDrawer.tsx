import { Drawer, Group, Stack, Text } from '@mantine/core'
import type { InboxTest } from '../../../src/contract/console/inbox.ts'
import { JsonTree } from '../../ui/JsonTree.tsx'
import { Section } from '../../ui/Section.tsx'
import { AttemptDetail } from '../AttemptDetail.tsx'
import { SubjectDetail, subjectText } from '../DeliverySubject.tsx'
import { Stars } from '../Stars.tsx'

/** A test event of the inbox: its payload, and the request that a webhook would get. */
export function TestDrawer({ test, onClose }: { readonly test: InboxTest; readonly onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title="Test event">
      <Stack>
        <div>
          <Group gap="xs">
            {test.subject.kind === 'review' && <Stars rating={test.subject.rating} />}
            <Text fw={600}>{subjectText(test)}</Text>
          </Group>
          <SubjectDetail line={test} />
        </div>
        <Section title="Payload">
          <JsonTree text={test.body} label="JSON" />
        </Section>
        <Section title="Request">
          <AttemptDetail attempt={test.attempt} />
        </Section>
      </Stack>
    </Drawer>
  )
}
