import { Text } from '@mantine/core'
import { displayName, STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { overviewTexts } from '../../messages/overview.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { RatingDrops } from '../RatingDrops.tsx'

/** The newest rating drops that are large or match a subscription. */
export function NewestDrops({ drops }: { readonly drops: Overview['newestDrops'] }) {
  return (
    <Section title={overviewTexts.ratingDrops} about={overviewTexts.dropsAbout}>
      {drops.length === 0 ? (
        <Text c="dimmed" size="sm">
          {overviewTexts.noDrops}
        </Text>
      ) : (
        <RatingDrops
          drops={drops}
          nameOf={({ store, appId, appName }) => (
            <>
              {overviewTexts.appIn(
                <AnchorLink to="/apps/$store/$appId" params={{ store, appId }} size="sm" underline="always">
                  {appName ?? appId}
                </AnchorLink>,
                displayName(STORE_NAMES, store),
              )}
            </>
          )}
        />
      )}
    </Section>
  )
}
