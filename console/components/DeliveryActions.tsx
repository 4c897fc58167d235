import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeliveryDetail } from '../../src/contract/v1/deliveries.ts'
import { hasReceiver } from '../../src/model/inbox.ts'
import { deliveries } from '../data/deliveries.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { copyText } from '../ui/use-copy.ts'
import { curlOf } from '../util/curl.ts'

/** Copies the request, retries a pending delivery now, and sends a delivered or dead event again. */
export function DeliveryActions({ page }: { readonly page: DeliveryDetail }) {
  const queryClient = useQueryClient()
  const resend = useMutation({
    mutationFn: () => deliveries.resend(page.event_id),
    onSuccess: async () => {
      notifyDone(deliveryTexts.queuedAgain)
      await queryClient.invalidateQueries({ queryKey: ['delivery', page.event_id] })
    },
    onError: notifyFailed,
  })
  const retry = useMutation({
    mutationFn: () => deliveries.retry(page.event_id),
    onSuccess: async () => {
      notifyDone(deliveryTexts.attemptStarted)
      await queryClient.invalidateQueries({ queryKey: ['delivery', page.event_id] })
    },
    onError: notifyFailed,
  })
  const copy = () =>
    copyText(curlOf(page.target_url, page.event_id, page.body)).then(
      () => notifyDone(deliveryTexts.copied),
      notifyFailed,
    )
  // Without a receiver, there is no request to copy or repeat.
  if (!hasReceiver({ targetUrl: page.target_url })) return null
  return (
    <>
      {page.target_type === 'webhook' && (
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
