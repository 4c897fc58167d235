import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { displayName, HOOK_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import { isInbox } from '../../../src/model/inbox.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { RotateModal } from '../../forms/RotateModal.tsx'
import { commonTexts } from '../../messages/common.ts'
import { destinationTexts } from '../../messages/destinations.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { destinationName } from './destination-name.ts'

/** Buttons to pause or resume, to rotate the secret and to delete. */
export function DestinationActions({ page }: { readonly page: DestinationPage }) {
  const [rotating, setRotating] = useState(false)
  const refresh = useDestinationChanged(page.id)
  const active = page.status === 'active'
  const pausing = useMutation({
    mutationFn: () => (active ? destinations.pause(page.id) : destinations.resume(page.id)),
    onSuccess: async () => {
      notifyDone(active ? destinationTexts.paused : destinationTexts.resumed)
      await refresh()
    },
    onError: notifyFailed,
  })
  const confirmRemoval = useRemoval(page)
  return (
    <>
      <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate()}>
        {active ? commonTexts.pause : commonTexts.resume}
      </Button>
      {page.editable && !isInbox(page) && page.targetType === 'webhook' && (
        <Button variant="default" onClick={() => setRotating(true)}>
          {destinationTexts.rotate}
        </Button>
      )}
      <Button color="red" variant="light" onClick={confirmRemoval}>
        {page.editable ? destinationTexts.delete : destinationTexts.disconnect}
      </Button>
      {rotating && <RotateModal page={page} onClose={() => setRotating(false)} onDone={refresh} />}
    </>
  )
}

/** After confirmation, deletes the destination and opens the list. */
function useRemoval(page: DestinationPage): () => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const verb = page.editable ? destinationTexts.delete : destinationTexts.disconnect
  const source = displayName(HOOK_SOURCE_NAMES, page.source)
  const remove = async () => {
    try {
      await destinations.remove(page.id)
      queryClient.removeQueries({ queryKey: ['destination', page.id] })
      await queryClient.invalidateQueries({ queryKey: ['destinations'] })
      await queryClient.invalidateQueries({ queryKey: ['overview'] })
      await queryClient.invalidateQueries({ queryKey: ['inbox'] })
      await navigate({ to: '/destinations' })
      notifyDone(page.editable ? destinationTexts.deleted : destinationTexts.disconnected)
    } catch (error) {
      notifyFailed(error)
    }
  }
  return () =>
    confirmDestructive({
      title: page.editable ? destinationTexts.deleteTitle : destinationTexts.disconnectTitle,
      consequence: (
        <>
          {destinationTexts.removeNote(
            <b style={{ overflowWrap: 'anywhere' }}>{destinationName(page)}</b>,
            page.health.pending > 0 && destinationTexts.pendingLost(page.health.pending),
            !page.editable && destinationTexts.triggerNote(source),
          )}
        </>
      ),
      verb,
      onConfirm: remove,
    })
}
