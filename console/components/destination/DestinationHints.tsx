import { Alert, Code } from '@mantine/core'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'

/** Explains a destination that its receiver turned off, whose recipients unsubscribed, or that another program manages. */
export function DestinationHints({ page }: { readonly page: DestinationPage }) {
  const program = page.source === 'api' ? 'a program' : displayName(HOOK_SOURCE_NAMES, page.source)
  return (
    <>
      {page.status === 'gone' && (
        <Alert color="red" title="Turned off by the receiver">
          It answered HTTP 410 Gone, as automation platforms do when a trigger is turned off. Resume the
          destination to send to it again, then replay its dead letters.
        </Alert>
      )}
      {page.pausedReason === 'all_unsubscribed' && (
        <Alert color="orange" title="Paused: all recipients unsubscribed">
          Nobody is left who gets its mails. New events are held. Subscribe a recipient again if they ask for
          it, or add another address, then resume the destination.
        </Alert>
      )}
      {!page.editable && (
        <Alert variant="light" color="gray" title={`Managed by ${program}`}>
          {page.source === 'api' ? 'A program' : program} created this destination through the API
          {page.externalRef !== null && (
            <>
              {' '}
              as <Code>{page.externalRef}</Code>
            </>
          )}
          . It controls the URL, the secret and the subscriptions. You can name, limit, pause and test the
          destination here. “Disconnect” removes it from Review Radar.
        </Alert>
      )}
    </>
  )
}
