import { Table, Text } from '@mantine/core'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { displayName, THEME_NAMES } from '../../../src/contract/console/display-names.ts'
import { THEMES } from '../../../src/model/vocabulary.ts'
import { appTexts } from '../../messages/app.ts'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { number } from '../../util/numbers.ts'
import { ChangeText } from './ChangeText.tsx'
import { countChange } from './change.ts'

const SHOWN = 6

/** The themes mentioned more often than in the previous period, largest rise first. */
export function RisingThemes({ page: { app, themes, days } }: { readonly page: AppPage }) {
  const rising = themes
    .filter(({ count, before }) => count > before)
    .sort((a, b) => b.count - b.before - (a.count - a.before))
    .slice(0, SHOWN)
  return (
    <Section title={appTexts.risingThemes}>
      {rising.length === 0 ? (
        <Text c="dimmed" size="sm">
          {appTexts.noRisingThemes}
        </Text>
      ) : (
        <ListTable
          label={appTexts.risingThemes}
          minWidth={260}
          columns={[appTexts.theme, appTexts.reviews, appTexts.before, appTexts.change]}
        >
          {rising.map(({ theme, count, before }) => (
            <Table.Tr key={theme}>
              <Table.Td>
                <AnchorLink
                  to="/reviews"
                  search={{
                    store: app.store,
                    app_id: app.app_id,
                    theme: THEMES.find((known) => known === theme),
                    since: days[0]?.at,
                  }}
                  size="sm"
                >
                  {displayName(THEME_NAMES, theme)}
                </AnchorLink>
              </Table.Td>
              <Table.Td>{number(count)}</Table.Td>
              <Table.Td>{number(before)}</Table.Td>
              <Table.Td>
                <ChangeText change={countChange(count, before)} better={null} />
              </Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
    </Section>
  )
}
