import { Table, Text, VisuallyHidden } from '@mantine/core'
import { displayName, STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { overviewTexts } from '../../messages/overview.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { ratingChange } from '../../util/rating-change.ts'

/** The largest changes. The app's page shows all. */
const CHANGES_SHOWN = 8

/** The changes of average ratings in the range. */
export function RatingChanges({ movements }: { readonly movements: Overview['movements'] }) {
  return (
    <Section title={overviewTexts.ratingChanges}>
      {movements.length === 0 ? (
        <Text c="dimmed" size="sm">
          {overviewTexts.noChanges}
        </Text>
      ) : (
        <Table>
          <Table.Tbody>
            {movements.slice(0, CHANGES_SHOWN).map((movement) => (
              <Change
                key={`${movement.store}/${movement.appId}/${movement.storefront}`}
                movement={movement}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

function Change({ movement }: { readonly movement: Overview['movements'][number] }) {
  const { before, now, distance, fell } = ratingChange(movement.before, movement.now)
  return (
    <Table.Tr>
      <Table.Td>
        <AnchorLink to="/apps/$store/$appId" params={{ store: movement.store, appId: movement.appId }}>
          {movement.appName ?? movement.appId}
        </AnchorLink>
        <Text size="xs" c="dimmed">
          {displayName(STORE_NAMES, movement.store)}, {storefrontName(movement.storefront)}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Text span c={`var(--mantine-color-${fell ? 'red' : 'teal'}-text)`} fw={600}>
          <VisuallyHidden>{fell ? overviewTexts.fellBy : overviewTexts.roseBy}</VisuallyHidden>
          <span aria-hidden>{fell ? '▼' : '▲'}</span> {distance}
        </Text>
        <Text size="xs" c="dimmed">
          {overviewTexts.fromTo(before, now)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
