import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AppPage, ReviewTally } from '../../../src/contract/console/apps.ts'
import { marketName } from '../../../src/contract/console/market-names.ts'
import { breakdownTexts } from '../../messages/app.ts'
import { commonTexts } from '../../messages/common.ts'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { average, number, percent } from '../../util/numbers.ts'

const SHOWN = 8
const COLUMNS = [breakdownTexts.reviews, breakdownTexts.average, breakdownTexts.low] as const

/** Reviews by version of the app, the newest version first. */
export function ByVersion({ page: { app, versions, days } }: { readonly page: AppPage }) {
  const shown = versions
    .slice(0, SHOWN)
    .sort((a, b) => new Date(b.firstSeenAt).getTime() - new Date(a.firstSeenAt).getTime())
  return (
    <Breakdown
      title={breakdownTexts.byVersion}
      columns={[breakdownTexts.version, ...COLUMNS, breakdownTexts.firstReview]}
      empty={shown.length === 0}
      note={
        app.store === 'apple' && shown.some(({ version }) => version === null)
          ? breakdownTexts.noVersion
          : null
      }
    >
      {shown.map(({ version, firstSeenAt, ...tally }) => (
        <Row
          key={version ?? ''}
          tally={tally}
          name={
            version === null ? (
              commonTexts.unknown
            ) : (
              <AnchorLink
                to="/reviews"
                search={{ store: app.store, app_id: app.app_id, app_version: version, since: days[0]?.at }}
                size="sm"
              >
                {version}
              </AnchorLink>
            )
          }
          last={<Instant at={firstSeenAt} />}
        />
      ))}
    </Breakdown>
  )
}

/** Reviews by storefront, or by language for Google Play. */
export function ByMarket({ page: { app, markets } }: { readonly page: AppPage }) {
  const title = app.store === 'google' ? breakdownTexts.byLanguage : breakdownTexts.byCountry
  return (
    <Breakdown
      title={title}
      columns={[app.store === 'google' ? breakdownTexts.language : breakdownTexts.country, ...COLUMNS]}
      empty={markets.length === 0}
    >
      {markets.map(({ market, ...tally }) => (
        <Row key={market} tally={tally} name={marketName(app.store, 'reviews', market)} />
      ))}
    </Breakdown>
  )
}

function Breakdown(props: {
  readonly title: string
  readonly columns: readonly string[]
  readonly empty: boolean
  readonly note?: string | null
  readonly children: ReactNode
}) {
  return (
    <Section title={props.title}>
      {props.empty ? (
        <Text c="dimmed" size="sm">
          {breakdownTexts.empty}
        </Text>
      ) : (
        <ListTable label={props.title} minWidth={360} columns={props.columns}>
          {props.children}
        </ListTable>
      )}
      {props.note != null && (
        <Text size="sm" c="dimmed" mt="xs">
          {props.note}
        </Text>
      )}
    </Section>
  )
}

function Row({
  name,
  tally: { count, average: stars, low },
  last,
}: {
  readonly name: ReactNode
  readonly tally: ReviewTally
  readonly last?: ReactNode
}) {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
      <Table.Td>{number(count)}</Table.Td>
      <Table.Td>{average(stars)} ★</Table.Td>
      <Table.Td>{percent(low / count)}</Table.Td>
      {last !== undefined && <Table.Td>{last}</Table.Td>}
    </Table.Tr>
  )
}
