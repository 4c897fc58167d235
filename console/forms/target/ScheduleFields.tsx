import { Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { MESSAGE_INTERVAL_MINUTES } from '../../../src/model/hook-limits.ts'
import type { FieldProblems } from '../problems.ts'
import { SCHEDULE_MODES, type ScheduleChoice } from './schedule.ts'

/** The name of a part of a schedule in the problems of the service. */
export type ScheduleProblem = `messageSchedule.${string}`
export const SCHEDULE_PROBLEMS: readonly ScheduleProblem[] = [
  'messageSchedule.everyMinutes',
  'messageSchedule.dailyAt',
  'messageSchedule.quietFrom',
  'messageSchedule.quietUntil',
  'messageSchedule.timeZone',
]

const MODE_NAMES = {
  each: 'Each event at once',
  throttle: 'At most one message per interval',
  daily: 'One message a day',
  weekly: 'One message a week',
} as const
const MODES = SCHEDULE_MODES.map((value) => ({ value, label: MODE_NAMES[value] }))
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (label, index) => ({ value: String(index + 1), label }),
)
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]

/** Inputs of one row are in one line, with and without a description. */
const NOTE_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** When messages are sent. Events wait until then, and one message shows all that wait. */
export function ScheduleFields({
  choice,
  onChange,
  problems,
}: {
  readonly choice: ScheduleChoice
  readonly onChange: (choice: ScheduleChoice) => void
  readonly problems: FieldProblems<ScheduleProblem>
}) {
  const { mode, isQuiet } = choice
  const set = (change: Partial<ScheduleChoice>) => {
    problems.edited(...SCHEDULE_PROBLEMS)
    onChange({ ...choice, ...change })
  }
  const isDaily = mode === 'daily' || mode === 'weekly'
  return (
    <Stack gap="sm">
      <Group align="flex-start">
        <Select
          label="Send"
          description="Events wait until then. One message shows all that wait."
          inputWrapperOrder={NOTE_BELOW}
          data={MODES}
          value={mode}
          onChange={(value) => set({ mode: SCHEDULE_MODES.find((each) => each === value) ?? 'each' })}
          allowDeselect={false}
          style={{ flex: '1 1 260px' }}
        />
        {mode === 'throttle' && (
          <NumberInput
            label="Minutes"
            description={`${MESSAGE_INTERVAL_MINUTES.min} to ${MESSAGE_INTERVAL_MINUTES.max}`}
            inputWrapperOrder={NOTE_BELOW}
            {...MESSAGE_INTERVAL_MINUTES}
            value={choice.everyMinutes}
            onChange={(everyMinutes) => set({ everyMinutes })}
            error={problems.at('messageSchedule.everyMinutes')}
            w={140}
          />
        )}
        {mode === 'weekly' && (
          <Select
            label="Day"
            data={WEEKDAYS}
            value={String(choice.weekday)}
            onChange={(weekday) => set({ weekday: Number(weekday ?? 1) })}
            allowDeselect={false}
            w={160}
          />
        )}
        {isDaily && (
          <TextInput
            label="Time"
            type="time"
            value={choice.dailyAt}
            onChange={(event) => set({ dailyAt: event.currentTarget.value })}
            error={problems.at('messageSchedule.dailyAt')}
            w={160}
          />
        )}
      </Group>
      <Checkbox
        label="Quiet hours"
        checked={isQuiet}
        onChange={(event) => set({ isQuiet: event.currentTarget.checked })}
      />
      <Group align="flex-start">
        {isQuiet && (
          <>
            <TextInput
              label="Quiet from"
              type="time"
              value={choice.quietFrom}
              onChange={(event) => set({ quietFrom: event.currentTarget.value })}
              error={problems.at('messageSchedule.quietFrom')}
              w={160}
            />
            <TextInput
              label="Quiet until"
              type="time"
              value={choice.quietUntil}
              onChange={(event) => set({ quietUntil: event.currentTarget.value })}
              error={problems.at('messageSchedule.quietUntil')}
              w={160}
            />
          </>
        )}
        {(isDaily || isQuiet) && (
          <Select
            label="Time zone"
            data={TIME_ZONES.includes(choice.timeZone) ? TIME_ZONES : [choice.timeZone, ...TIME_ZONES]}
            value={choice.timeZone}
            onChange={(timeZone) => set({ timeZone: timeZone ?? 'UTC' })}
            searchable
            allowDeselect={false}
            limit={100}
            error={problems.at('messageSchedule.timeZone')}
            style={{ flex: '1 1 220px' }}
          />
        )}
      </Group>
    </Stack>
  )
}
