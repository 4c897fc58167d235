import { Table, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { appTexts } from '../../messages/app.ts'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { featureName } from '../../util/feature-name.ts'
import { number } from '../../util/numbers.ts'

const SHOWN = 6

/** The most requested features. */
export function TopRequests({ page: { app, requests, days } }: { readonly page: AppPage }) {
  return (
    <Section title={appTexts.topRequests}>
      {requests.length === 0 ? (
        <Text c="dimmed" size="sm">
          {appTexts.noRequests}
        </Text>
      ) : (
        <ListTable
          label={appTexts.topRequests}
          minWidth={280}
          columns={[appTexts.feature, appTexts.reviews, appTexts.before]}
        >
          {requests.slice(0, SHOWN).map(({ slug, count, before }) => (
            <Table.Tr key={slug}>
              <Table.Td>
                <AnchorLink
                  to="/reviews"
                  search={{ store: app.store, app_id: app.app_id, feature_slug: slug, since: days[0]?.at }}
                  size="sm"
                >
                  {featureName(slug)}
                </AnchorLink>
              </Table.Td>
              <Table.Td>{number(count)}</Table.Td>
              <Table.Td>{number(before)}</Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
    </Section>
  )
}
