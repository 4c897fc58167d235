import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { reviewCountQuery } from '../data/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { counted, number } from '../util/numbers.ts'

/** How many reviews match the filters; keeps its line while it is counted. */
export function ReviewCount({ filters }: { readonly filters: ReviewSearch }) {
  const { data } = useQuery(reviewCountQuery(filters))
  const text =
    data?.more === true ? `More than ${number(data.count)} reviews` : counted(data?.count ?? 0, 'review')
  return (
    <Text size="sm" c="dimmed" role="status" mih={22}>
      {data === undefined ? '' : text}
    </Text>
  )
}
