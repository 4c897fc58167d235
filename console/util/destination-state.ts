import type { DestinationLine } from '../../src/contract/console/destinations.ts'

/** An active destination whose attempts fail is failing. */
export const DESTINATION_STATES = ['active', 'failing', 'paused', 'gone'] as const
export type DestinationStateName = (typeof DESTINATION_STATES)[number]

export function destinationState({
  status,
  health,
}: Pick<DestinationLine, 'status' | 'health'>): DestinationStateName {
  return status === 'active' && health.failingSince !== null ? 'failing' : status
}
