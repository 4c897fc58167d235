import { deliveryTexts } from '../messages/deliveries.tsx'
import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'

/** The next attempt of a pending delivery. A time in the past means that the delivery is queued. */
export function NextAttempt({ at }: { readonly at: string | null }) {
  const now = useNow()
  const isDue = at !== null && new Date(at) <= now
  const instant = <Instant at={at} />
  return isDue ? deliveryTexts.due(instant) : deliveryTexts.nextAttempt(instant)
}
