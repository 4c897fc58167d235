import { Card, SimpleGrid, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { storefrontName } from '../../util/storefronts.ts'
import { AggregateRating } from '../Rating.tsx'

/** The average rating of each storefront. */
export function RatingCards({ ratings }: { readonly ratings: AppPage['ratings'] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="md">
      {ratings.map(({ storefront, rating, count }) => (
        <Card key={storefront} withBorder padding="sm">
          <Text size="sm" c="dimmed">
            {storefrontName(storefront)}
          </Text>
          <AggregateRating rating={rating} count={count} />
        </Card>
      ))}
    </SimpleGrid>
  )
}
