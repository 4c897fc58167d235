import { NumberInput, SimpleGrid } from '@mantine/core'
import { SPIKE_FACTOR, SPIKE_MIN_REVIEWS } from '../../src/model/hook-limits.ts'
import { ruleTexts } from '../messages/subscriptions.ts'
import type { FieldsProps } from './problems.ts'
import type { Subscription, SubscriptionField } from './subscription.ts'

/** Which spikes of negative reviews a subscription sends. */
export function SpikeRules({
  value: subscription,
  set,
  problems,
}: FieldsProps<Subscription, SubscriptionField>) {
  const numberOf = (value: number | string) => (value === '' ? null : Number(value))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label={ruleTexts.atLeast}
        description={ruleTexts.atLeastNote}
        placeholder={String(SPIKE_MIN_REVIEWS.default)}
        min={SPIKE_MIN_REVIEWS.min}
        max={SPIKE_MIN_REVIEWS.max}
        allowDecimal={false}
        value={subscription.spike_min_reviews ?? ''}
        onChange={(value) => set({ spike_min_reviews: numberOf(value) })}
        error={problems.at('spike_min_reviews')}
      />
      <NumberInput
        label={ruleTexts.timesUsual}
        description={ruleTexts.timesUsualNote}
        placeholder={String(SPIKE_FACTOR.default)}
        min={SPIKE_FACTOR.min}
        max={SPIKE_FACTOR.max}
        step={0.5}
        decimalScale={2}
        value={subscription.spike_factor ?? ''}
        onChange={(value) => set({ spike_factor: numberOf(value) })}
        error={problems.at('spike_factor')}
      />
    </SimpleGrid>
  )
}
