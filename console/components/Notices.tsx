import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { NoticeView } from '../../src/contract/console/destinations.ts'
import { Instant } from '../ui/Instant.tsx'
import { paths } from '../util/paths.ts'

const LOOKS: Readonly<Record<string, { readonly color: string; readonly label: string }>> = {
  failing: { color: 'orange', label: 'failing' },
  recovered: { color: 'teal', label: 'recovered' },
  exhausted: { color: 'red', label: 'dead letter' },
  breaker_opened: { color: 'orange', label: 'resting' },
  breaker_closed: { color: 'teal', label: 'served again' },
  gone: { color: 'red', label: 'turned off' },
}

/** What befell destinations, newest first. */
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
          <Badge variant="light" color={LOOKS[notice.kind]?.color ?? 'gray'} tt="none">
            {LOOKS[notice.kind]?.label ?? notice.kind}
          </Badge>
          <Text size="sm" style={{ flex: '1 1 200px', overflowWrap: 'anywhere' }}>
            {notice.detail}{' '}
            {linked && (
              <Anchor component={Link} to={paths.destination(notice.hookId)} size="sm" underline="always">
                Show the destination
              </Anchor>
            )}
          </Text>
          <Text size="sm" c="dimmed">
            <Instant at={notice.at} />
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
