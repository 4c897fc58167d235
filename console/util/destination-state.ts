import type { DestinationLine } from '../../src/contract/console/destinations.ts'

/** Worst first. An active destination whose attempts fail is failing; it is suspended while its circuit breaker is open. */
export const DESTINATION_STATES = ['suspended', 'failing', 'gone', 'paused', 'active'] as const
export type DestinationStateName = (typeof DESTINATION_STATES)[number]

type Line = Pick<DestinationLine, 'status' | 'health'>

export function destinationState({ status, health }: Line): DestinationStateName {
  if (status !== 'active') return status
  if (health.breakerOpenUntil !== null) return 'suspended'
  return health.failingSince === null ? 'active' : 'failing'
}

/** The place of its state, worst first. */
export function stateRank(line: Line): number {
  return DESTINATION_STATES.indexOf(destinationState(line))
}

/** A suspended destination is also one of the failing ones. */
export function isInState(line: Line, wanted: DestinationStateName): boolean {
  const state = destinationState(line)
  return state === wanted || (wanted === 'failing' && state === 'suspended')
}
