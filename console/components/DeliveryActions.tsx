import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeliveryPage } from '../../src/contract/console/deliveries.ts'
import { hasReceiver } from '../../src/model/inbox.ts'
import { deadLetters, deliveries } from '../data/deliveries.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { curlOf } from '../util/curl.ts'

/** Copies the request, retries a pending delivery now, and sends a delivered or dead event again. */
export function DeliveryActions({ page }: { readonly page: DeliveryPage }) {
  const queryClient = useQueryClient()
  const resend = useMutation({
    mutationFn: () => deadLetters.resend(page.eventId),
    onSuccess: async () => {
      notifyDone(deliveryTexts.queuedAgain)
      await queryClient.invalidateQueries({ queryKey: ['delivery', page.eventId] })
    },
    onError: notifyFailed,
  })
  const retry = useMutation({
    mutationFn: () => deliveries.retry(page.eventId),
    onSuccess: async () => {
      notifyDone(deliveryTexts.attemptStarted)
      await queryClient.invalidateQueries({ queryKey: ['delivery', page.eventId] })
    },
    onError: notifyFailed,
  })
  const copy = () =>
    navigator.clipboard
      .writeText(curlOf(page.targetUrl, page.eventId, page.body))
      .then(() => notifyDone(deliveryTexts.copied), notifyFailed)
  // Without a receiver, there is no request to copy or repeat.
  if (!hasReceiver(page)) return null
  return (
    <>
      {page.targetType === 'webhook' && (
        <Button variant="default" onClick={copy}>
          {deliveryTexts.copyCurl}
        </Button>
      )}
      {page.status === 'pending' && (
        <Button loading={retry.isPending} onClick={() => retry.mutate()}>
          {deliveryTexts.retryNow}
        </Button>
      )}
      {page.status !== 'pending' && page.status !== 'held' && (
        <Button loading={resend.isPending} onClick={() => resend.mutate()}>
          {deliveryTexts.sendAgain}
        </Button>
      )}
    </>
  )
}
