import { Card, Group, Stack, Text } from '@mantine/core'
import type { AppLine } from '../../../src/contract/console/apps.ts'
import { appsTexts } from '../../messages/apps.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { storefrontName } from '../../util/storefronts.ts'
import { AppIcon } from '../AppIcon.tsx'
import { HealthBadge } from '../HealthBadge.tsx'
import { AggregateRating } from '../Rating.tsx'
import { StoreBadge } from '../StoreBadge.tsx'

/** An app in the list. Times are on a separate line, so that cards keep their height when times update. */
export function AppCard({ app }: { readonly app: AppLine }) {
  const storefronts = [...app.storefronts, ...app.neededStorefronts]
  return (
    <Card withBorder component="article" aria-label={app.name ?? app.appId}>
      <Group wrap="nowrap" align="flex-start">
        <AppIcon name={app.name} iconUrl={app.iconUrl} size={48} />
        <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
          <AnchorLink
            to="/apps/$store/$appId"
            params={{ store: app.store, appId: app.appId }}
            fw={600}
            truncate="end"
          >
            {app.name ?? app.appId}
          </AnchorLink>
          <Text size="sm" c="dimmed" truncate="end">
            {app.developer ?? app.appId}
          </Text>
          <Group gap="xs">
            <StoreBadge store={app.store} />
            <HealthBadge health={app.health} />
          </Group>
        </Stack>
      </Group>
      <Stack gap={2} mt="md">
        <CardRating rating={app.ratings[0]} />
        <Text size="sm">{appsTexts.reviewsIn7Days(app.reviews7d)}</Text>
        <Text size="sm" c="dimmed">
          {app.lastReviewAt === null
            ? appsTexts.noReviews
            : appsTexts.lastReview(<Instant at={app.lastReviewAt} />)}
        </Text>
      </Stack>
      <Text size="xs" c="dimmed" mt="xs" lineClamp={2}>
        {storefronts.map(storefrontName).join(', ')} · {appsTexts.destinations(app.destinations)}
      </Text>
    </Card>
  )
}

function CardRating({ rating }: { readonly rating: AppLine['ratings'][number] | undefined }) {
  if (rating === undefined) {
    return (
      <Text c="dimmed" size="sm">
        {appsTexts.noRating}
      </Text>
    )
  }
  return (
    <div>
      <AggregateRating rating={rating.rating} count={rating.count} />{' '}
      <Text span size="sm" c="dimmed">
        · {storefrontName(rating.storefront)}
      </Text>
    </div>
  )
}
