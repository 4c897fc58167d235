/**
 * Targets without a receiver. They are not http or https URLs, so the egress rejects them.
 */

/** The inbox of an account: a hook whose events are shown in the console. No caller can create such a hook. */
export const INBOX_TARGET = 'inbox:'

/** A hook whose events are only pulled (docs/contract.md, Pulled events). */
export const PULL_TARGET = 'pull:'

/** Number of newest events that an inbox keeps. */
export const INBOX_EVENTS_MAX = 1_000

type Targeted = { readonly targetUrl: string }

export function isInbox({ targetUrl }: Targeted): boolean {
  return targetUrl === INBOX_TARGET
}

export function isPulled({ targetUrl }: Targeted): boolean {
  return targetUrl === PULL_TARGET
}

/** Whether events of the hook are sent as requests. */
export function hasReceiver(hook: Targeted): boolean {
  return !isInbox(hook) && !isPulled(hook)
}
