import { Stack, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { ReviewCard } from '../ReviewCard.tsx'

/** The newest reviews with one or two stars. */
export function NewestLow({ page: { store, appId, newestLow } }: { readonly page: AppPage }) {
  return (
    <Section
      title="Newest negative reviews"
      about="With 1 or 2 stars"
      actions={
        <AnchorLink to="/reviews" search={{ store, appId, stars: '1,2' }} size="sm">
          View all
        </AnchorLink>
      }
    >
      {newestLow.length === 0 ? (
        <Text c="dimmed" size="sm">
          No negative reviews in this period.
        </Text>
      ) : (
        <Stack gap="sm">
          {newestLow.map((review) => (
            <ReviewCard key={review.fingerprint} review={review} />
          ))}
        </Stack>
      )}
    </Section>
  )
}
