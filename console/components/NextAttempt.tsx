import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'

/** The next attempt of a pending delivery. One that is due is in the queue, so a time in the past is shown as due. */
export function NextAttempt({ at }: { readonly at: string | null }) {
  const now = useNow()
  return (
    <>
      {at !== null && new Date(at) <= now ? 'Due' : 'Next attempt'} <Instant at={at} />
    </>
  )
}
