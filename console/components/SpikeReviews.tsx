import { Group, Stack, Text } from '@mantine/core'
import { commonTexts } from '../messages/common.ts'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { Stars } from '../ui/Stars.tsx'

type NamedReview = {
  readonly fingerprint: string
  readonly rating: number
  readonly country: string
  readonly occurred_at: string
}

/** The newest reviews of a spike, with links. The event has no texts. */
export function SpikeReviews({ body }: { readonly body: string }) {
  const { reviews = [] } = JSON.parse(body) as { readonly reviews?: readonly NamedReview[] }
  return (
    <Stack
      gap={4}
      my="xs"
      component="ul"
      aria-label={commonTexts.newestReviews}
      style={{ listStyle: 'none', padding: 0 }}
    >
      {reviews.map(({ fingerprint, rating, country, occurred_at }) => (
        <Group key={fingerprint} gap="xs" component="li">
          <Stars rating={rating} />
          <AnchorLink to="/reviews/$fingerprint" params={{ fingerprint }} size="sm" underline="always">
            {commonTexts.viewReview}
          </AnchorLink>
          <Text size="sm" c="dimmed">
            <Instant at={occurred_at} /> · {country.toUpperCase()}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
