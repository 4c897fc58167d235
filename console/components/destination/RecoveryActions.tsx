import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { RecoverModal } from '../../forms/RecoverModal.tsx'
import { recoveryTexts } from '../../messages/destinations.tsx'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'

/** For a repaired receiver: retry pending deliveries now, or send lost events again. */
export function RecoveryActions({ page }: { readonly page: DestinationPage }) {
  const [recovering, setRecovering] = useState(false)
  const refresh = useDestinationChanged(page.id)
  const retry = useMutation({
    mutationFn: () => destinations.retryPending(page.id),
    onSuccess: async () => {
      notifyDone(recoveryTexts.retrying)
      await refresh()
    },
    onError: notifyFailed,
  })
  return (
    <>
      {page.health.pending > 0 && (
        <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {recoveryTexts.retryAll}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setRecovering(true)}>
        {recoveryTexts.title}
      </Button>
      {recovering && <RecoverModal page={page} onClose={() => setRecovering(false)} onDone={refresh} />}
    </>
  )
}
