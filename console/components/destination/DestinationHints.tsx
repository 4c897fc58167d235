import { Alert, Code } from '@mantine/core'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { destinationTexts } from '../../messages/destinations.tsx'

/** Explains a destination that its receiver turned off, whose recipients unsubscribed, or that another program manages. */
export function DestinationHints({ page }: { readonly page: DestinationPage }) {
  const program =
    page.source === 'api' ? destinationTexts.aProgram : displayName(HOOK_SOURCE_NAMES, page.source)
  return (
    <>
      {page.status === 'gone' && (
        <Alert color="red" title={destinationTexts.goneTitle}>
          {destinationTexts.goneNote}
        </Alert>
      )}
      {page.pausedReason === 'all_unsubscribed' && (
        <Alert color="orange" title={destinationTexts.unsubscribedTitle}>
          {destinationTexts.unsubscribedNote}
        </Alert>
      )}
      {!page.editable && (
        <Alert variant="light" color="gray" title={destinationTexts.managedBy(program)}>
          {destinationTexts.managedNote(
            page.source === 'api' ? destinationTexts.aProgramFirst : program,
            page.externalRef !== null && <>{destinationTexts.asReference(<Code>{page.externalRef}</Code>)}</>,
          )}
        </Alert>
      )}
    </>
  )
}
