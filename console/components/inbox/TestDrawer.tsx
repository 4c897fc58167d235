import { Drawer, Group, Stack, Text } from '@mantine/core'
import type { InboxTest } from '../../../src/contract/console/inbox.ts'
import { commonTexts } from '../../messages/common.ts'
import { inboxTexts } from '../../messages/start.tsx'
import { JsonTree } from '../../ui/JsonTree.tsx'
import { Section } from '../../ui/Section.tsx'
import { Stars } from '../../ui/Stars.tsx'
import { AttemptDetail } from '../AttemptDetail.tsx'
import { SubjectDetail, subjectText } from '../DeliverySubject.tsx'

/** A test event of the inbox: its payload, and the request that a webhook would get. */
export function TestDrawer({ test, onClose }: { readonly test: InboxTest; readonly onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title={inboxTexts.testEvent}>
      <Stack>
        <div>
          <Group gap="xs">
            {test.subject.kind === 'review' && <Stars rating={test.subject.rating} />}
            <Text fw={600}>{subjectText(test)}</Text>
          </Group>
          <SubjectDetail line={test} />
        </div>
        <Section title={inboxTexts.payload}>
          <JsonTree text={test.body} label={commonTexts.json} />
        </Section>
        <Section title={inboxTexts.request}>
          <AttemptDetail attempt={test.attempt} />
        </Section>
      </Stack>
    </Drawer>
  )
}
