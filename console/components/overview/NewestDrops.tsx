import { Text } from '@mantine/core'
import { displayName, STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { RatingDrops } from '../RatingDrops.tsx'

/** The newest rating drops that are large or match a subscription. */
export function NewestDrops({ drops }: { readonly drops: Overview['newestDrops'] }) {
  return (
    <Section title="Rating drops" about="By 0.05 or more, or matched by a subscription">
      {drops.length === 0 ? (
        <Text c="dimmed" size="sm">
          No rating dropped in this period.
        </Text>
      ) : (
        <RatingDrops
          drops={drops}
          nameOf={({ store, appId, appName }) => (
            <>
              <AnchorLink to="/apps/$store/$appId" params={{ store, appId }} size="sm" underline="always">
                {appName ?? appId}
              </AnchorLink>{' '}
              in {displayName(STORE_NAMES, store)}
            </>
          )}
        />
      )}
    </Section>
  )
}
