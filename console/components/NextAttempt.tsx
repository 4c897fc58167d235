import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'

/** The next attempt of a pending delivery. A time in the past means that the delivery is queued. */
export function NextAttempt({ at }: { readonly at: string | null }) {
  const now = useNow()
  return (
    <>
      {at !== null && new Date(at) <= now ? 'Due' : 'Next attempt'} <Instant at={at} />
    </>
  )
}
