import { Group, NumberInput } from '@mantine/core'
import type { RuleFields } from './subscription.ts'

/** Which rating drops a subscription sends. */
export function RatingRules({ watch, set, problems }: RuleFields) {
  const numberOf = (value: number | string) => (value === '' ? null : Number(value))
  return (
    <Group grow align="flex-start">
      <NumberInput
        label="Falls by at least"
        description="Between two checks. 0 for any drop"
        placeholder="0.1"
        min={0}
        max={4}
        step={0.1}
        decimalScale={6}
        value={watch.delta ?? ''}
        onChange={(value) => set({ delta: numberOf(value) })}
        error={problems.at('delta')}
      />
      <NumberInput
        label="Falls below"
        description="Crosses this value from above"
        placeholder="4.5"
        min={1}
        max={5}
        step={0.1}
        decimalScale={6}
        value={watch.threshold ?? ''}
        onChange={(value) => set({ threshold: numberOf(value) })}
        error={problems.at('threshold')}
      />
    </Group>
  )
}
