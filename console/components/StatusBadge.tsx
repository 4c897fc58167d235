import { Badge } from '@mantine/core'

const COLORS: Readonly<Record<string, string>> = {
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
}
const LABELS: Readonly<Record<string, string>> = {
  dead: 'dead letter',
  pending: 'waiting',
  gone: 'turned off by its owner',
}

/** The state of a delivery, a destination or a replay: in words, the colour only helps. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge color={COLORS[status] ?? 'gray'} variant="light" tt="none" miw="max-content">
      {LABELS[status] ?? status}
    </Badge>
  )
}
