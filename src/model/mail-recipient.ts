import { hashOf } from './canonical.ts'

/** A recipient of a mail destination who unsubscribed. */
export type Unsubscribed = {
  /** `recipientIdOf` the address. */
  readonly recipient: string
  readonly at: Date
}

const ID_CHARS = 16

/** Identifies an address among the recipients of a hook without naming it. Case does not matter. */
export function recipientIdOf(hookId: string, address: string): string {
  return hashOf(['mail recipient', hookId, address.toLowerCase()]).slice(0, ID_CHARS)
}

/** Why the service itself paused a hook. */
export const PAUSED_REASONS = ['all_unsubscribed'] as const
export type PausedReason = (typeof PAUSED_REASONS)[number]
