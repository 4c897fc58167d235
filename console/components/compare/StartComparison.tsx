import { Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import { compareLink } from '../../data/compare-link.ts'
import { appsTexts } from '../../messages/apps.tsx'
import { comparePresetTexts, compareTexts } from '../../messages/compare.ts'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Section } from '../../ui/Section.tsx'
import { appGroups } from '../../util/app-groups.ts'
import {
  type Column,
  DAYS_DEFAULT,
  type Listing,
  lastPeriods,
  lastVersions,
  sideBySide,
} from '../../util/comparison.ts'
import { StoreBadge } from '../StoreBadge.tsx'

/** A shorter list needs no search. */
const SEARCHED_MIN = 8

/** Comparisons to begin with, for each app. */
export function StartComparison({ apps }: { readonly apps: readonly TrackedApp[] }) {
  const [text, setText] = useState<string>()
  const groups = appGroups(apps).filter((group) =>
    group.some(({ name, app_id }) =>
      `${name ?? ''} ${app_id}`.toLowerCase().includes((text ?? '').trim().toLowerCase()),
    ),
  )
  return (
    <Section title={comparePresetTexts.start} about={comparePresetTexts.startNote}>
      {apps.length > SEARCHED_MIN && (
        <SearchField label={appsTexts.search} value={text} onChange={setText} width={360} />
      )}
      <ListTable
        label={comparePresetTexts.start}
        minWidth={300}
        columns={[comparePresetTexts.app, comparePresetTexts.comparisons]}
      >
        {groups.map((group) => (
          <AppRow key={`${group[0]?.store}/${group[0]?.app_id}`} group={group} />
        ))}
        <Table.Tr>
          <Table.Th scope="row" fw={500}>
            {compareTexts.allApps}
          </Table.Th>
          <Table.Td>
            <Preset
              label={comparePresetTexts.period(DAYS_DEFAULT)}
              app={compareTexts.allApps}
              columns={lastPeriods([])}
            />
          </Table.Td>
        </Table.Tr>
      </ListTable>
    </Section>
  )
}

function AppRow({ group }: { readonly group: readonly TrackedApp[] }) {
  const name = group[0]?.name ?? group[0]?.app_id ?? ''
  const listings: readonly Listing[] = group.map(({ store, app_id }) => ({ store, app_id }))
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
        <Text fw={500} size="sm">
          {name}
        </Text>
        <Group gap={4} mt={4}>
          {group.map(({ store }) => (
            <StoreBadge key={store} store={store} />
          ))}
        </Group>
      </Table.Th>
      <Table.Td style={{ verticalAlign: 'top' }}>
        {listings.map((listing) => (
          // The two stores number their versions differently.
          <Preset
            key={listing.store}
            label={
              listings.length > 1
                ? comparePresetTexts.versionsIn(STORE_NAMES[listing.store])
                : comparePresetTexts.versions
            }
            app={name}
            columns={lastVersions(listing)}
          />
        ))}
        {listings.length > 1 && (
          <Preset label={comparePresetTexts.stores} app={name} columns={sideBySide(listings)} />
        )}
        <Preset label={comparePresetTexts.period(DAYS_DEFAULT)} app={name} columns={lastPeriods(listings)} />
      </Table.Td>
    </Table.Tr>
  )
}

function Preset({
  label,
  app,
  columns,
}: {
  readonly label: string
  readonly app: string
  readonly columns: readonly Column[]
}) {
  return (
    <AnchorLink
      to="/compare"
      search={compareLink(columns)}
      aria-label={comparePresetTexts.of(label, app)}
      size="sm"
      display="block"
      w="fit-content"
      py={4}
    >
      {label}
    </AnchorLink>
  )
}
