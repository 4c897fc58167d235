import { Badge, Group, Stack, Text } from '@mantine/core'
import type { NoticeView } from '../../src/contract/console/destinations.ts'
import {
  displayName,
  inSentence,
  NOTICE_NAMES,
  REASON_NAMES,
} from '../../src/contract/console/display-names.ts'
import { commonTexts } from '../messages/common.ts'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { WithInstants } from '../ui/WithInstants.tsx'
import { destinationName } from './destination/destination-name.ts'

const COLORS: Readonly<Record<string, string>> = {
  failing: 'orange',
  recovered: 'teal',
  exhausted: 'red',
  breaker_opened: 'orange',
  breaker_closed: 'teal',
  gone: 'red',
}

/** Notices about destinations, newest first; `linked` to the destination they are about. */
export function Notices({
  notices,
  linked = true,
}: {
  readonly notices: readonly NoticeView[]
  readonly linked?: boolean
}) {
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {notices.map((notice) => (
        <Group key={`${notice.at}${notice.hookId}${notice.kind}`} gap="xs" component="li" align="flex-start">
          <Badge variant="light" color={COLORS[notice.kind] ?? 'gray'} tt="none">
            {displayName(NOTICE_NAMES, notice.kind)}
          </Badge>
          <Text size="sm" className="notice-text">
            {linked && <NoticeLink notice={notice} />}
            <WithInstants text={detailOf(notice)} />
          </Text>
          <Text size="sm" c="dimmed" ml="auto">
            <Instant at={notice.at} />
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function NoticeLink({ notice: { hookId, destination } }: { readonly notice: NoticeView }) {
  return (
    <>
      <AnchorLink to="/destinations/$id" params={{ id: hookId }} size="sm" underline="always">
        {destination === null ? commonTexts.viewDestination : destinationName(destination)}
      </AnchorLink>{' '}
    </>
  )
}

/** Replaces the reason code at the end of a notice by its name. */
function detailOf({ detail }: NoticeView): string {
  return detail.replace(/ with ([a-z_]+)\.$/, (text, code: string) =>
    Object.hasOwn(REASON_NAMES, code) ? `: ${inSentence(displayName(REASON_NAMES, code))}.` : text,
  )
}
