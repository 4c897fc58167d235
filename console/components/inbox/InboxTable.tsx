import { Badge, Group, Table } from '@mantine/core'
import { useState } from 'react'
import type { InboxTest } from '../../../src/contract/console/inbox.ts'
import type { DeliveryRow } from '../../../src/contract/v1/deliveries.ts'
import { commonTexts } from '../../messages/common.ts'
import { inboxTexts } from '../../messages/start.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { VirtualBody } from '../../ui/table/VirtualBody.tsx'
import { DeliveryDrawer } from '../DeliveryDrawer.tsx'
import { EventLink } from '../EventLink.tsx'
import { StatusBadge } from '../StatusBadge.tsx'
import { isTest } from './inbox-lines.ts'
import { TestDrawer } from './TestDrawer.tsx'

const ROW_HEIGHT_PX = 58

/** Events of the inbox, newest first. Each opens beside the list. */
export function InboxTable({ lines }: { readonly lines: readonly (DeliveryRow | InboxTest)[] }) {
  const [opened, setOpened] = useState<string | null>(null)
  const close = () => setOpened(null)
  const test = lines.filter(isTest).find(({ event_id }) => event_id === opened)
  return (
    <>
      {test !== undefined && <TestDrawer test={test} onClose={close} />}
      {opened !== null && test === undefined && <DeliveryDrawer eventId={opened} onClose={close} />}
      <Table layout="fixed" highlightOnHover aria-label={inboxTexts.label} aria-rowcount={lines.length + 1}>
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            <Table.Th>{commonTexts.event}</Table.Th>
            <Table.Th w={130}>{inboxTexts.received}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <VirtualBody rows={lines} columnCount={2} estimatedPx={ROW_HEIGHT_PX}>
          {(line, props) => (
            <Table.Tr key={line.event_id} {...props}>
              <Table.Td>
                <EventLink line={line} onOpen={setOpened} isTest={isTest(line)} />
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  <Instant at={line.created_at} />
                  {isTest(line) && (
                    <Badge variant="default" tt="none">
                      {inboxTexts.test}
                    </Badge>
                  )}
                  {!isTest(line) && line.status === 'held' && <StatusBadge status="held" />}
                </Group>
              </Table.Td>
            </Table.Tr>
          )}
        </VirtualBody>
      </Table>
    </>
  )
}
