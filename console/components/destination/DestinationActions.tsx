import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { isInbox } from '../../../src/model/inbox.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { RotateModal } from '../../forms/RotateModal.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { destinationName } from '../../util/destination-name.ts'
import { counted } from '../../util/numbers.ts'

/** Buttons to pause or resume, to rotate the secret and to delete. */
export function DestinationActions({ page }: { readonly page: DestinationPage }) {
  const [rotating, setRotating] = useState(false)
  const refresh = useDestinationChanged(page.id)
  const active = page.status === 'active'
  const pausing = useMutation({
    mutationFn: () => (active ? destinations.pause(page.id) : destinations.resume(page.id)),
    onSuccess: async () => {
      notifyDone(active ? 'Paused. New events are held.' : 'Resumed. Held events are sent now.')
      await refresh()
    },
    onError: notifyFailed,
  })
  const confirmRemoval = useRemoval(page)
  return (
    <>
      <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate()}>
        {active ? 'Pause' : 'Resume'}
      </Button>
      {page.editable && !isInbox(page) && page.targetType === 'webhook' && (
        <Button variant="default" onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      )}
      <Button color="red" variant="light" onClick={confirmRemoval}>
        {page.editable ? 'Delete' : 'Disconnect'}
      </Button>
      {rotating && <RotateModal page={page} onClose={() => setRotating(false)} onDone={refresh} />}
    </>
  )
}

/** After confirmation, deletes the destination and opens the list. */
function useRemoval(page: DestinationPage): () => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const verb = page.editable ? 'Delete' : 'Disconnect'
  const source = displayName(HOOK_SOURCE_NAMES, page.source)
  const remove = async () => {
    try {
      await destinations.remove(page.id)
      queryClient.removeQueries({ queryKey: ['destination', page.id] })
      await queryClient.invalidateQueries({ queryKey: ['destinations'] })
      await queryClient.invalidateQueries({ queryKey: ['inbox'] })
      await navigate({ to: '/destinations' })
      notifyDone(page.editable ? 'Destination deleted.' : 'Destination disconnected.')
    } catch (error) {
      notifyFailed(error)
    }
  }
  return () =>
    confirmDestructive({
      title: `${verb} this destination?`,
      consequence: (
        <>
          No more events are sent to <b style={{ overflowWrap: 'anywhere' }}>{destinationName(page)}</b>.{' '}
          {page.health.pending > 0 && `${counted(page.health.pending, 'pending event')} will not be sent. `}
          This cannot be undone.
          {!page.editable &&
            ` Turn off its trigger in ${source} too: ${source} may still show it as connected.`}
        </>
      ),
      verb,
      onConfirm: remove,
    })
}
