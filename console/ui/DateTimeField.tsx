import { tableTexts } from '../messages/common.ts'
import '@mantine/dates/styles.css'
import { DateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import { dayAndTime } from '../util/time.ts'

/** The local time format of `@mantine/dates`. */
const LOCAL = 'YYYY-MM-DD HH:mm:ss'

const PRESETS = [
  { label: tableTexts.lastHour, hours: 1 },
  { label: tableTexts.last24Hours, hours: 24 },
  { label: tableTexts.last7Days, hours: 7 * 24 },
  { label: tableTexts.last30Days, hours: 30 * 24 },
] as const

/** A time, picked in the viewer's time zone and passed as an ISO instant. */
export function DateTimeField({
  label,
  name = label,
  value,
  onChange,
  width = 190,
  error = null,
  inDialog = false,
}: {
  readonly label: string
  /** Distinguishes it for screen readers from other fields with its label. */
  readonly name?: string
  readonly value: string | undefined
  readonly onChange: (instant: string | undefined) => void
  readonly width?: number
  readonly error?: string | null
  /** In a dialog that a click outside closes, the calendar must be inside. */
  readonly inDialog?: boolean
}) {
  return (
    <DateTimePicker
      label={label}
      {...(name === label ? {} : { 'aria-label': name })}
      placeholder={tableTexts.anyTime}
      value={value === undefined ? null : dayjs(value).format(LOCAL)}
      onChange={(local) => onChange(local === null ? undefined : dayjs(local).toISOString())}
      valueFormat={(local) => dayAndTime(new Date(local), new Date())}
      presets={PRESETS.map(({ label: preset, hours }) => ({
        label: preset,
        value: dayjs().subtract(hours, 'hour').format(LOCAL),
      }))}
      clearable
      clearButtonProps={{ 'aria-label': tableTexts.clearField(name.charAt(0).toLowerCase() + name.slice(1)) }}
      error={error}
      popoverProps={{ withinPortal: !inDialog }}
      w={width}
      size="sm"
    />
  )
}
