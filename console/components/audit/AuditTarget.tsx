import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditLine } from '../../../src/contract/v1/audit-log.ts'
import { appsQuery } from '../../data/apps.ts'
import { destinationsQuery } from '../../data/destinations.ts'
import { templatesQuery } from '../../data/reply-templates.ts'
import { storesQuery } from '../../data/stores.ts'
import { commonTexts } from '../../messages/common.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { destinationName } from '../destination/destination-name.ts'

const OF_CONNECTIONS = /^store\./
const OF_TEMPLATES = /^reply_template\./
const OF_DESTINATIONS = /^(hook|secret|watch|recovery)\./

/** The fingerprint of a review. */
const REVIEW = /^[0-9a-f]{64}$/

/** The target of an entry: a link if it still exists, else its ID. */
export function AuditTarget({ line: { action, actor, target } }: { readonly line: AuditLine }) {
  const apps = useQuery(appsQuery)
  const destinations = useQuery(destinationsQuery)
  const connections = useQuery({ ...storesQuery, enabled: OF_CONNECTIONS.test(action) })
  const templates = useQuery({ ...templatesQuery, enabled: OF_TEMPLATES.test(action) })
  // The target of a sign-in is the user who signs in.
  if (target === null || target === actor.id) return <Text size="sm">–</Text>
  if (action.startsWith('delivery.')) {
    return (
      <AnchorLink to="/deliveries/$eventId" params={{ eventId: target }} {...LINK_PROPS} title={target}>
        {target}
      </AnchorLink>
    )
  }
  if ((action.startsWith('reply.') || action === 'review.translated') && REVIEW.test(target)) {
    return (
      <AnchorLink to="/reviews/$fingerprint" params={{ fingerprint: target }} {...LINK_PROPS} title={target}>
        {commonTexts.viewReview}
      </AnchorLink>
    )
  }
  const destination = OF_DESTINATIONS.test(action) && destinations.data?.find(({ id }) => id === target)
  if (destination) {
    return (
      <AnchorLink
        to="/destinations/$id"
        params={{ id: target }}
        {...LINK_PROPS}
        title={destinationName(destination)}
      >
        {destinationName(destination)}
      </AnchorLink>
    )
  }
  const onStoresPage =
    (OF_CONNECTIONS.test(action) && connections.data?.find(({ id }) => id === target)) ||
    (OF_TEMPLATES.test(action) && templates.data?.find(({ id }) => id === target))
  if (onStoresPage) {
    return (
      <AnchorLink to="/stores" {...LINK_PROPS} title={onStoresPage.name}>
        {onStoresPage.name}
      </AnchorLink>
    )
  }
  const app = apps.data?.find((each) => `${each.store}/${each.app_id}` === target)
  if (app) {
    const { store, app_id: appId, name } = app
    return (
      <AnchorLink to="/apps/$store/$appId" params={{ store, appId }} {...LINK_PROPS} title={target}>
        {name ?? appId}
      </AnchorLink>
    )
  }
  return (
    <Text size="xs" ff="monospace" c="dimmed" truncate="end" title={target}>
      {target}
    </Text>
  )
}

const LINK_PROPS = { size: 'sm', display: 'block', truncate: 'end' } as const
