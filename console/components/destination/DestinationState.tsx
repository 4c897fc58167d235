import { Badge } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import {
  DESTINATION_STATE_NAMES,
  displayName,
  HOOK_SOURCE_NAMES,
} from '../../../src/contract/console/display-names.ts'
import { destinationStateTexts } from '../../messages/overview.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { destinationState } from '../../util/destination-state.ts'
import { StatusBadge } from '../StatusBadge.tsx'

/** The program that created a destination. */
export function SourceBadge({ line }: { readonly line: Pick<DestinationLine, 'source'> }) {
  return (
    <Badge variant="default" tt="none">
      {destinationStateTexts.createdVia(displayName(HOOK_SOURCE_NAMES, line.source))}
    </Badge>
  )
}

/** The one state of a destination: the worst. */
export function DestinationState({ line }: { readonly line: Pick<DestinationLine, 'status' | 'health'> }) {
  const { failingSince } = line.health
  const state = destinationState(line)
  if (state === 'suspended')
    return (
      <Badge variant="light" color="red" tt="none">
        {DESTINATION_STATE_NAMES.suspended}
      </Badge>
    )
  if (state === 'failing' && failingSince !== null) return <FailingSince at={failingSince} />
  return <StatusBadge status={line.status} />
}

export function FailingSince({ at }: { readonly at: string }) {
  return (
    <Badge color="red" variant="light" tt="none">
      {destinationStateTexts.failingSince(<Instant at={at} as="clock" />)}
    </Badge>
  )
}
