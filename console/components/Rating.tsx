import { Text } from '@mantine/core'

const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** An aggregate rating and how many stand behind it. */
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
        {rating.toFixed(2)}
      </Text>
      <span aria-hidden> ★</span>
      {count !== null && (
        <Text span c="dimmed" size="sm">
          {' '}
          {COUNT.format(count)} ratings
        </Text>
      )}
    </Text>
  )
}
