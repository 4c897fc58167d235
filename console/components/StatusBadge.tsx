import { Badge } from '@mantine/core'
import { displayName, STATUS_NAMES, type Status } from '../../src/contract/console/display-names.ts'

const COLORS: Readonly<Record<Status, string>> = {
  delivered: 'teal',
  pending: 'blue',
  held: 'gray',
  dead: 'red',
  active: 'teal',
  paused: 'gray',
  gone: 'red',
  running: 'blue',
  done: 'teal',
  cancelled: 'gray',
  sent: 'teal',
  failed: 'red',
}

/** The state of a delivery, destination, replay or alert, as text on a coloured badge. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge color={isStatus(status) ? COLORS[status] : 'gray'} variant="light" tt="none" miw="max-content">
      {displayName(STATUS_NAMES, status)}
    </Badge>
  )
}

function isStatus(status: string): status is Status {
  return Object.hasOwn(COLORS, status)
}
