import { Badge } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { Instant } from '../../ui/Instant.tsx'
import { StatusBadge } from '../StatusBadge.tsx'

/** The state of a destination. An active destination whose attempts fail is failing. */
export function DestinationState({ line }: { readonly line: Pick<DestinationLine, 'status' | 'health'> }) {
  const { failingSince } = line.health
  if (line.status !== 'active' || failingSince === null) return <StatusBadge status={line.status} />
  return (
    <Badge color="red" variant="light" tt="none">
      Failing since <Instant at={failingSince} as="clock" />
    </Badge>
  )
}
