import { Badge } from '@mantine/core'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { destinationStateTexts } from '../../messages/overview.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { StatusBadge } from '../StatusBadge.tsx'

/** The badges of a destination in a list. */
export function DestinationBadges({ line }: { readonly line: DestinationLine }) {
  return (
    <>
      <DestinationState line={line} />
      {line.health.breakerOpenUntil !== null && (
        <Badge variant="light" color="orange" tt="none">
          {destinationStateTexts.pausedAfterFailures}
        </Badge>
      )}
    </>
  )
}

/** The program that created a destination. */
export function SourceBadge({ line }: { readonly line: Pick<DestinationLine, 'source'> }) {
  return (
    <Badge variant="default" tt="none">
      {destinationStateTexts.createdVia(displayName(HOOK_SOURCE_NAMES, line.source))}
    </Badge>
  )
}

/** The state of a destination. An active destination whose attempts fail is failing. */
export function DestinationState({ line }: { readonly line: Pick<DestinationLine, 'status' | 'health'> }) {
  const { failingSince } = line.health
  if (line.status !== 'active' || failingSince === null) return <StatusBadge status={line.status} />
  return <FailingSince at={failingSince} />
}

export function FailingSince({ at }: { readonly at: string }) {
  return (
    <Badge color="red" variant="light" tt="none">
      {destinationStateTexts.failingSince(<Instant at={at} as="clock" />)}
    </Badge>
  )
}
