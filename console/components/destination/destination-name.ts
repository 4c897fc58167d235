import type { DestinationName } from '../../../src/contract/console/destinations.ts'
import { hasReceiver, isInbox, isPulled } from '../../../src/model/inbox.ts'
import { commonTexts } from '../../messages/common.ts'

/** A mail address without its scheme. */
function shownUrl(targetUrl: string): string {
  return targetUrl.replace(/^mailto:/, '')
}

/** The name of a destination, else its URL. Destinations without a receiver have a default name. */
export function destinationName(destination: DestinationName): string {
  if (destination.name !== null) return destination.name
  if (isInbox(destination)) return commonTexts.inbox
  return isPulled(destination) ? commonTexts.pulledEvents : shownUrl(destination.targetUrl)
}

/** The same of the destination of an event. */
export function hookName(event: { readonly hook_name: string | null; readonly target_url: string }): string {
  return destinationName({ name: event.hook_name, targetUrl: event.target_url })
}

/** The URL to show beside the name, or null if there is none or it is the name. */
export function secondaryUrl(destination: DestinationName): string | null {
  return destination.name === null || !hasReceiver(destination) ? null : shownUrl(destination.targetUrl)
}
