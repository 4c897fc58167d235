import { Anchor, Group } from '@mantine/core'
import type { DeliveryRow } from '../../src/contract/v1/deliveries.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Stars } from '../ui/Stars.tsx'
import { SubjectDetail, subjectText } from './DeliverySubject.tsx'

/** An event in a list, as a link that opens it beside the list. A test event has no page. */
export function EventLink({
  line,
  onOpen,
  isTest = false,
}: {
  readonly line: Pick<DeliveryRow, 'event_id' | 'event_type' | 'subject' | 'app_id' | 'app_name'>
  readonly onOpen: (eventId: string) => void
  readonly isTest?: boolean
}) {
  return (
    <>
      <Group gap={6} wrap="nowrap">
        {line.subject.kind === 'review' && <Stars rating={line.subject.rating} />}
        {isTest ? (
          <Anchor
            component="button"
            type="button"
            {...LINK_PROPS}
            ta="left"
            onClick={() => onOpen(line.event_id)}
          >
            {subjectText(line)}
          </Anchor>
        ) : (
          <AnchorLink
            to="/deliveries/$eventId"
            params={{ eventId: line.event_id }}
            {...LINK_PROPS}
            onClick={(event) => {
              // With a modifier key, the browser opens the page in a new tab.
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onOpen(line.event_id)
            }}
          >
            {subjectText(line)}
          </AnchorLink>
        )}
      </Group>
      <SubjectDetail line={line} />
    </>
  )
}

const LINK_PROPS = { size: 'sm', truncate: 'end', dir: 'auto' } as const
