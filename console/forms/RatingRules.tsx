import { NumberInput, Select, SimpleGrid } from '@mantine/core'
import { DELTA, THRESHOLD } from '../../src/model/hook-limits.ts'
import { ruleTexts } from '../messages/subscriptions.ts'
import type { FieldsProps } from './problems.ts'
import type { Subscription, SubscriptionField } from './subscription.ts'

/** The window of a delta: the last check, or hours. */
const LAST_CHECK = 'last'
const WINDOWS = [
  { value: LAST_CHECK, label: ruleTexts.oneCheck },
  { value: '24', label: ruleTexts.window24Hours },
  { value: '72', label: ruleTexts.window3Days },
  { value: '168', label: ruleTexts.window7Days },
  { value: '336', label: ruleTexts.window14Days },
  { value: '720', label: ruleTexts.window30Days },
]

/** A program may have set another window. */
function windowsWith(hours: number | null) {
  const value = String(hours)
  const isKnown = hours === null || WINDOWS.some((window) => window.value === value)
  return isKnown ? WINDOWS : [...WINDOWS, { value, label: ruleTexts.windowHours(hours) }]
}

/** Which rating drops a subscription sends, or which drops it sends the recoveries of. */
export function RatingRules({
  value: subscription,
  set,
  problems,
}: FieldsProps<Subscription, SubscriptionField>) {
  const isRecovery = subscription.event_type === 'rating.recovered'
  const numberOf = (value: number | string) => (value === '' ? null : Number(value))
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <NumberInput
        label={isRecovery ? ruleTexts.afterFallBy : ruleTexts.fallsBy}
        description={ruleTexts.fallsByNote}
        placeholder="0.1"
        {...DELTA}
        step={0.1}
        decimalScale={6}
        value={subscription.delta ?? ''}
        onChange={(value) => set({ delta: numberOf(value) })}
        error={problems.at('delta')}
      />
      <Select
        label={ruleTexts.within}
        description={ruleTexts.withinNote}
        data={windowsWith(subscription.delta_window_hours ?? null)}
        value={String(subscription.delta_window_hours ?? LAST_CHECK)}
        onChange={(value) =>
          set({ delta_window_hours: value === null || value === LAST_CHECK ? null : Number(value) })
        }
        allowDeselect={false}
        disabled={subscription.delta == null}
        error={problems.at('delta_window_hours')}
      />
      <NumberInput
        label={isRecovery ? ruleTexts.afterFallBelow : ruleTexts.fallsBelow}
        description={ruleTexts.fallsBelowNote}
        placeholder="4.5"
        {...THRESHOLD}
        step={0.1}
        decimalScale={6}
        value={subscription.threshold ?? ''}
        onChange={(value) => set({ threshold: numberOf(value) })}
        error={problems.at('threshold')}
      />
    </SimpleGrid>
  )
}
