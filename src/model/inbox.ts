/**
 * The inbox of an account: a hook whose events are shown in the console without a request. Its target is not an http or https URL, so no
 * caller can create such a hook and the egress rejects it.
 */
export const INBOX_TARGET = 'inbox:'

/** Number of newest events that an inbox keeps. */
export const INBOX_EVENTS_MAX = 1_000

export function isInbox({ targetUrl }: { readonly targetUrl: string }): boolean {
  return targetUrl === INBOX_TARGET
}
