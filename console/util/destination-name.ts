import { isInbox } from '../../src/model/inbox.ts'

type Named = { readonly name: string | null; readonly targetUrl: string }

/** What people call a destination: the name they gave it, else its URL; "Inbox" for the inbox, which has none. */
export function destinationName(destination: Named): string {
  return destination.name ?? (isInbox(destination) ? 'Inbox' : destination.targetUrl)
}

/** The URL of a destination that is shown by another name; null without one. */
export function urlBeside(destination: Named): string | null {
  return destination.name === null || isInbox(destination) ? null : destination.targetUrl
}
