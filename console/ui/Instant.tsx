import { Text, Tooltip } from '@mantine/core'
import { exactTime, relativeTime } from '../util/time.ts'
import { useNow } from './use-now.ts'

/** An instant as people read it, with the exact one on hover and focus. It often ends with a dot ('in 3 min.'): no sentence goes on after it. */
export function Instant({ at }: { readonly at: string | null }) {
  const now = useNow()
  if (at === null) return <Text span>–</Text>
  const instant = new Date(at)
  return (
    <Tooltip label={exactTime(instant)} events={{ hover: true, focus: true, touch: true }}>
      <Text span inherit component="time" dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(instant, now)}
      </Text>
    </Tooltip>
  )
}
