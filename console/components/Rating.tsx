import { Text } from '@mantine/core'
import { ratingTexts } from '../messages/common.ts'
import { average } from '../util/numbers.ts'

/** An average rating and the number of ratings behind it. */
export function AggregateRating({
  rating,
  count,
}: {
  readonly rating: number
  readonly count: number | null
}) {
  return (
    <Text span style={{ whiteSpace: 'nowrap' }}>
      <Text span fw={600}>
        {average(rating)}
      </Text>
      <span aria-hidden> ★</span>
      {count !== null && (
        <Text span c="dimmed" size="sm">
          {' '}
          {ratingTexts.ratings(count)}
        </Text>
      )}
    </Text>
  )
}
