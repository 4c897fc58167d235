import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { reviewCountQuery } from '../data/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { reviewTexts } from '../messages/reviews.tsx'

/** The number of reviews that match the filters. Keeps its height while the count loads. */
export function ReviewCount({ filters }: { readonly filters: ReviewSearch }) {
  const { data } = useQuery(reviewCountQuery(filters))
  const text = data?.more === true ? reviewTexts.moreThan(data.count) : reviewTexts.count(data?.count ?? 0)
  return (
    <Text size="sm" c="dimmed" role="status" mih={22}>
      {data === undefined ? '' : text}
    </Text>
  )
}
