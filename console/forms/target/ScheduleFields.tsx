import { Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { MESSAGE_INTERVAL_MINUTES } from '../../../src/model/hook-limits.ts'
import { scheduleTexts } from '../../messages/target.ts'
import type { FieldProblems } from '../problems.ts'
import { SCHEDULE_MODES, type ScheduleChoice } from './schedule.ts'

/** The name of a part of a schedule in the problems of the service. */
export type ScheduleProblem = `message_schedule.${string}`
export const SCHEDULE_PROBLEMS: readonly ScheduleProblem[] = [
  'message_schedule.every_minutes',
  'message_schedule.daily_at',
  'message_schedule.quiet_from',
  'message_schedule.quiet_until',
  'message_schedule.time_zone',
]

const MODE_NAMES = {
  each: scheduleTexts.each,
  throttle: scheduleTexts.throttle,
  daily: scheduleTexts.daily,
  weekly: scheduleTexts.weekly,
} as const
const MODES = SCHEDULE_MODES.map((value) => ({ value, label: MODE_NAMES[value] }))
const WEEKDAYS = [
  scheduleTexts.monday,
  scheduleTexts.tuesday,
  scheduleTexts.wednesday,
  scheduleTexts.thursday,
  scheduleTexts.friday,
  scheduleTexts.saturday,
  scheduleTexts.sunday,
].map((label, index) => ({ value: String(index + 1), label }))
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]

/** Inputs of one row are in one line, with and without a description. */
const NOTE_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** When messages are sent. Until then events are collected, and one message shows them all. */
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
          label={scheduleTexts.send}
          description={scheduleTexts.sendNote}
          inputWrapperOrder={NOTE_BELOW}
          data={MODES}
          value={mode}
          onChange={(value) => set({ mode: SCHEDULE_MODES.find((each) => each === value) ?? 'each' })}
          allowDeselect={false}
          style={{ flex: '1 1 260px' }}
        />
        {mode === 'throttle' && (
          <NumberInput
            label={scheduleTexts.minutes}
            description={scheduleTexts.minutesNote(
              MESSAGE_INTERVAL_MINUTES.min,
              MESSAGE_INTERVAL_MINUTES.max,
            )}
            inputWrapperOrder={NOTE_BELOW}
            {...MESSAGE_INTERVAL_MINUTES}
            value={choice.everyMinutes}
            onChange={(everyMinutes) => set({ everyMinutes })}
            error={problems.at('message_schedule.every_minutes')}
            w={140}
          />
        )}
        {mode === 'weekly' && (
          <Select
            label={scheduleTexts.day}
            data={WEEKDAYS}
            value={String(choice.weekday)}
            onChange={(weekday) => set({ weekday: Number(weekday ?? 1) })}
            allowDeselect={false}
            w={160}
          />
        )}
        {isDaily && (
          <TextInput
            label={scheduleTexts.time}
            type="time"
            value={choice.dailyAt}
            onChange={(event) => set({ dailyAt: event.currentTarget.value })}
            error={problems.at('message_schedule.daily_at')}
            w={160}
          />
        )}
      </Group>
      <Checkbox
        label={scheduleTexts.quietHours}
        checked={isQuiet}
        onChange={(event) => set({ isQuiet: event.currentTarget.checked })}
      />
      <Group align="flex-start">
        {isQuiet && (
          <>
            <TextInput
              label={scheduleTexts.quietFrom}
              type="time"
              value={choice.quietFrom}
              onChange={(event) => set({ quietFrom: event.currentTarget.value })}
              error={problems.at('message_schedule.quiet_from')}
              w={160}
            />
            <TextInput
              label={scheduleTexts.quietUntil}
              type="time"
              value={choice.quietUntil}
              onChange={(event) => set({ quietUntil: event.currentTarget.value })}
              error={problems.at('message_schedule.quiet_until')}
              w={160}
            />
          </>
        )}
        {(isDaily || isQuiet) && (
          <Select
            label={scheduleTexts.timeZone}
            data={TIME_ZONES.includes(choice.timeZone) ? TIME_ZONES : [choice.timeZone, ...TIME_ZONES]}
            value={choice.timeZone}
            onChange={(timeZone) => set({ timeZone: timeZone ?? 'UTC' })}
            searchable
            allowDeselect={false}
            limit={100}
            error={problems.at('message_schedule.time_zone')}
            style={{ flex: '1 1 220px' }}
          />
        )}
      </Group>
    </Stack>
  )
}
