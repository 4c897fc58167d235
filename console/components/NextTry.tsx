import { Instant } from '../ui/Instant.tsx'
import { useNow } from '../ui/use-now.ts'

/** When a waiting delivery is tried next; one whose turn has come waits for others before it, and is not said to lie in the past. */
export function NextTry({ at }: { readonly at: string | null }) {
  const now = useNow()
  return (
    <>
      {at !== null && new Date(at) <= now ? 'due' : 'next try'} <Instant at={at} />
    </>
  )
}
