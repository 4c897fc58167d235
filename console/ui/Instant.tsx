import { Text, Tooltip } from '@mantine/core'
import { dayAndTime, exactTime, expectedTime, relativeTime } from '../util/time.ts'
import { useNow } from './use-now.ts'

const FORMATS = { distance: relativeTime, clock: dayAndTime, estimate: expectedTime }

/** A readable time, with the exact time on hover and focus, or a dash for null. */
export function Instant({
  at,
  as = 'distance',
}: {
  readonly at: string | null
  /** `distance`: 3 hours ago; `clock`: 14:05, with the day unless it is today; `estimate`: tomorrow about 14:00. */
  readonly as?: keyof typeof FORMATS
}) {
  const now = useNow()
  if (at === null) return <Text span>–</Text>
  const instant = new Date(at)
  return (
    <Tooltip label={exactTime(instant)} events={{ hover: true, focus: true, touch: true }}>
      <Text span inherit component="time" dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {FORMATS[as](instant, now)}
      </Text>
    </Tooltip>
  )
}
