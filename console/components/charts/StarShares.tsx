import { Group, Progress, Stack, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { chartTexts, starShareTexts } from '../../messages/charts.ts'
import { number } from '../../util/numbers.ts'
import { NoData, STAR_COLORS } from './common.tsx'

/** The number of reviews per star rating. */
export function StarShares({ page: { days } }: { readonly page: AppPage }) {
  const stars = [0, 1, 2, 3, 4].map((index) => days.reduce((sum, day) => sum + (day.stars[index] ?? 0), 0))
  const total = stars.reduce((sum, count) => sum + count, 0)
  if (total === 0) return <NoData>{chartTexts.noReviews}</NoData>
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {[5, 4, 3, 2, 1].map((rating) => {
        const count = stars[rating - 1] ?? 0
        return (
          <Group key={rating} gap="xs" wrap="nowrap" component="li">
            <Text size="sm" w={28} style={{ flexShrink: 0 }}>
              {rating} ★
            </Text>
            <Progress
              value={(100 * count) / total}
              color={STAR_COLORS[rating - 1] ?? 'gray'}
              style={{ flex: 1 }}
              size="lg"
              aria-label={starShareTexts.share(rating, count, total)}
            />
            <Text size="sm" w={44} ta="right" style={{ flexShrink: 0 }}>
              {number(count)}
            </Text>
          </Group>
        )
      })}
    </Stack>
  )
}
