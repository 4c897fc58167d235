import { Stack, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { appTexts } from '../../messages/app.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { ReviewCard } from '../ReviewCard.tsx'

/** The newest reviews with one or two stars. */
export function NewestLow({ page: { app, newestLow } }: { readonly page: AppPage }) {
  return (
    <Section
      title={appTexts.newestLow}
      about={appTexts.newestLowAbout}
      actions={
        <AnchorLink to="/reviews" search={{ store: app.store, app_id: app.app_id, stars: '1,2' }} size="sm">
          {appTexts.viewAll}
        </AnchorLink>
      }
    >
      {newestLow.length === 0 ? (
        <Text c="dimmed" size="sm">
          {appTexts.noneLow}
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
