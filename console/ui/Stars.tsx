import { Text } from '@mantine/core'
import { ratingTexts } from '../messages/common.ts'

/** One to five stars, with the number as accessible name. */
export function Stars({ rating }: { readonly rating: number }) {
  const color = rating <= 2 ? 'red' : rating === 3 ? 'yellow' : 'teal'
  return (
    <Text
      span
      c={`var(--mantine-color-${color}-text)`}
      role="img"
      aria-label={ratingTexts.ofFive(rating)}
      style={{ whiteSpace: 'nowrap', letterSpacing: 1 }}
    >
      <span aria-hidden>
        {'★'.repeat(rating)}
        <span style={{ opacity: 0.3 }}>{'★'.repeat(5 - rating)}</span>
      </span>
    </Text>
  )
}
