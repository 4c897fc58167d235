import { hasReceiver, isInbox, isPulled } from '../../src/model/inbox.ts'

type Named = { readonly name: string | null; readonly targetUrl: string }

/** What people call a destination: the name they gave it, else its URL; one without a receiver has a fixed name. */
export function destinationName(destination: Named): string {
  if (destination.name !== null) return destination.name
  if (isInbox(destination)) return 'Inbox'
  return isPulled(destination) ? 'Pulled events' : destination.targetUrl
}

/** The URL of a destination that is shown by another name; null without one. */
export function urlBeside(destination: Named): string | null {
  return destination.name === null || !hasReceiver(destination) ? null : destination.targetUrl
}
