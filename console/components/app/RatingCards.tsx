import { Card, SimpleGrid, Text } from '@mantine/core'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import { AggregateRating } from '../Rating.tsx'

/** The average rating of each storefront. */
export function RatingCards({ ratings }: { readonly ratings: TrackedApp['ratings'] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="md">
      {ratings.map(({ country, rating, rating_count: count }) => (
        <Card key={country} withBorder padding="sm">
          <Text size="sm" c="dimmed">
            {storefrontName(country)}
          </Text>
          <AggregateRating rating={rating} count={count} />
        </Card>
      ))}
    </SimpleGrid>
  )
}
