import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'

/** When a pending delivery is attempted next. One that is due already queues behind others, so it shows as due, not as a time in the past. */
export function NextTry({ at }: { readonly at: string | null }) {
  const now = useNow()
  return (
    <>
      {at !== null && new Date(at) <= now ? 'due' : 'next try'} <Instant at={at} />
    </>
  )
}
