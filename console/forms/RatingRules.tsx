import { Group, NumberInput, Select } from '@mantine/core'
import { DELTA, THRESHOLD } from '../../src/model/hook-limits.ts'
import type { RuleFields } from './subscription.ts'

/** The window of a delta: the last check, or hours. */
const LAST_CHECK = 'last'
const WINDOWS = [
  { value: LAST_CHECK, label: 'One check' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '336', label: '14 days' },
  { value: '720', label: '30 days' },
]

/** A program may have set another window. */
function windowsWith(hours: number | null) {
  const value = String(hours)
  const isKnown = hours === null || WINDOWS.some((window) => window.value === value)
  return isKnown ? WINDOWS : [...WINDOWS, { value, label: `${hours} hours` }]
}

/** Which rating drops a subscription sends, or which drops it sends the recoveries of. */
export function RatingRules({ watch, set, problems }: RuleFields) {
  const isRecovery = watch.eventType === 'rating.recovered'
  const numberOf = (value: number | string) => (value === '' ? null : Number(value))
  return (
    <Group grow align="flex-start">
      <NumberInput
        label={isRecovery ? 'After a fall by at least' : 'Falls by at least'}
        description="In stars. 0 for any drop"
        placeholder="0.1"
        {...DELTA}
        step={0.1}
        decimalScale={6}
        value={watch.delta ?? ''}
        onChange={(value) => set({ delta: numberOf(value) })}
        error={problems.at('delta')}
      />
      <Select
        label="Within"
        description="From the highest rating"
        data={windowsWith(watch.deltaWindowHours ?? null)}
        value={String(watch.deltaWindowHours ?? LAST_CHECK)}
        onChange={(value) =>
          set({ deltaWindowHours: value === null || value === LAST_CHECK ? null : Number(value) })
        }
        allowDeselect={false}
        disabled={watch.delta == null}
        error={problems.at('deltaWindowHours')}
      />
      <NumberInput
        label={isRecovery ? 'After a fall below' : 'Falls below'}
        description="Crosses this value from above"
        placeholder="4.5"
        {...THRESHOLD}
        step={0.1}
        decimalScale={6}
        value={watch.threshold ?? ''}
        onChange={(value) => set({ threshold: numberOf(value) })}
        error={problems.at('threshold')}
      />
    </Group>
  )
}
