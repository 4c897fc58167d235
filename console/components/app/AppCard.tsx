import { Card, Group, Stack, Text } from '@mantine/core'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import { appsTexts } from '../../messages/apps.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { AppIcon } from '../AppIcon.tsx'
import { HealthBadge } from '../HealthBadge.tsx'
import { AggregateRating } from '../Rating.tsx'
import { StoreBadge } from '../StoreBadge.tsx'

/** An app in the list. Times are on a separate line, so that cards keep their height when times update. */
export function AppCard({
  app,
  isFramed = true,
}: {
  readonly app: TrackedApp
  /** False inside of another card. */
  readonly isFramed?: boolean
}) {
  const storefronts = [...app.countries, ...app.needed_countries]
  return (
    <Card
      withBorder={isFramed}
      {...(!isFramed && { padding: 0, bg: 'transparent' })}
      component="article"
      aria-label={app.name ?? app.app_id}
    >
      <Group wrap="nowrap" align="flex-start">
        <AppIcon name={app.name} iconUrl={app.icon_url} size={48} />
        <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
          <AnchorLink
            to="/apps/$store/$appId"
            params={{ store: app.store, appId: app.app_id }}
            fw={600}
            truncate="end"
          >
            {app.name ?? app.app_id}
          </AnchorLink>
          <Text size="sm" c="dimmed" truncate="end">
            {app.developer ?? app.app_id}
          </Text>
          <Group gap="xs">
            <StoreBadge store={app.store} />
            <HealthBadge health={app.health} />
          </Group>
        </Stack>
      </Group>
      <Stack gap={2} mt="md">
        <CardRating rating={app.ratings[0]} />
        <Text size="sm">{appsTexts.reviewsIn7Days(app.reviews_7d)}</Text>
        <Text size="sm" c="dimmed">
          {app.last_review_at === null
            ? appsTexts.noReviews
            : appsTexts.lastReview(<Instant at={app.last_review_at} />)}
        </Text>
      </Stack>
      <Text size="xs" c="dimmed" mt="xs" lineClamp={2}>
        {storefronts.map(storefrontName).join(', ')} · {appsTexts.destinations(app.hooks)}
      </Text>
    </Card>
  )
}

function CardRating({ rating }: { readonly rating: TrackedApp['ratings'][number] | undefined }) {
  if (rating === undefined) {
    return (
      <Text c="dimmed" size="sm">
        {appsTexts.noRating}
      </Text>
    )
  }
  return (
    <div>
      <AggregateRating rating={rating.rating} count={rating.rating_count} />{' '}
      <Text span size="sm" c="dimmed">
        · {storefrontName(rating.country)}
      </Text>
    </div>
  )
}
