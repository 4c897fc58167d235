import { hasReceiver, isInbox, isPulled } from '../../src/model/inbox.ts'
import { commonTexts } from '../messages/common.ts'

type Named = { readonly name: string | null; readonly targetUrl: string }

/** A mail address without its scheme. */
function shownUrl(targetUrl: string): string {
  return targetUrl.replace(/^mailto:/, '')
}

/** The name of a destination, else its URL. Destinations without a receiver have a default name. */
export function destinationName(destination: Named): string {
  if (destination.name !== null) return destination.name
  if (isInbox(destination)) return commonTexts.inbox
  return isPulled(destination) ? commonTexts.pulledEvents : shownUrl(destination.targetUrl)
}

/** The URL to show beside the name, or null if there is none or it is the name. */
export function secondaryUrl(destination: Named): string | null {
  return destination.name === null || !hasReceiver(destination) ? null : shownUrl(destination.targetUrl)
}
