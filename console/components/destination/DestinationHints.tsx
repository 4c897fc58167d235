import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { useMayChange } from '../MayChange.tsx'

/**
 * Explains a destination that its receiver turned off, that answers with redirects, whose recipients unsubscribed, or that another program
 * manages.
 */
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
      {page.pausedReason === 'unconfirmed' && (
        <Alert color="orange" title={destinationTexts.unconfirmedTitle}>
          {destinationTexts.unconfirmedNote}
        </Alert>
      )}
      {page.offersRedirect && <RedirectHint page={page} />}
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

/** A program that manages the destination sets the option itself. */
function RedirectHint({ page }: { readonly page: DestinationPage }) {
  const mayChange = useMayChange()
  const refresh = useDestinationChanged(page.id)
  const accept = useMutation({
    mutationFn: () => destinations.change(page.id, { redirect: 'accept' }),
    onSuccess: refresh,
  })
  return (
    <Alert color="orange" title={destinationTexts.redirectTitle}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{destinationTexts.redirectNote}</Text>
        {page.editable && mayChange && (
          <Button size="xs" variant="light" onClick={() => accept.mutate()} loading={accept.isPending}>
            {destinationTexts.redirectAccept}
          </Button>
        )}
        <FormProblem error={accept.error} />
      </Stack>
    </Alert>
  )
}
