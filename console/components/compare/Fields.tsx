import { Select, type SelectProps, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { googleLanguageName } from '../../../src/contract/console/market-names.ts'
import { STOREFRONTS } from '../../../src/model/vocabulary.ts'
import { appsQuery } from '../../data/apps.ts'
import { commonTexts, tableTexts } from '../../messages/common.ts'
import { compareTexts, periodTexts } from '../../messages/compare.ts'
import { appGroups } from '../../util/app-groups.ts'
import {
  appValue,
  type Column,
  DEFAULT_PERIOD,
  type Listing,
  listingsOf,
  NEWEST_VERSION,
  VERSION_BEFORE,
} from '../../util/comparison.ts'
import type { Option } from '../../util/options.ts'
import { marketNameOf } from './column-name.ts'
import type { ColumnResult } from './use-comparison.ts'

/** What a column selects: one field in each row, which has the name of the field. */

const DateTimeField = lazy(async () => ({
  default: (await import('../../ui/DateTimeField.tsx')).DateTimeField,
}))

export type FieldProps = {
  readonly result: ColumnResult
  /** The first column is 1. */
  readonly position: number
  readonly onChange: (change: Partial<Column>) => void
}

const DAYS = [7, 30, 90, 365] as const
const DATES = 'dates'
const RELEASE = 'release/'

function Field(props: SelectProps) {
  return <Select size="xs" miw={190} {...props} />
}

/** A version of another app means nothing. */
const WITHOUT_VERSION = { version: undefined } as const

export function AppField({ result: { column }, position, onChange }: FieldProps) {
  const { data: apps = [] } = useQuery(appsQuery)
  const value = appValue(column.listings)
  const options = appGroups(apps).flatMap((group) => optionsOfGroup(group))
  const known = [{ value: appValue([]), label: compareTexts.allApps }, ...options]
  return (
    <Field
      aria-label={compareTexts.fieldOf(compareTexts.app, position)}
      // An app that is no longer tracked keeps its ID.
      data={known.some((option) => option.value === value) ? known : [...known, { value, label: value }]}
      value={value}
      onChange={(chosen) => {
        const listings = chosen === null || chosen === appValue([]) ? [] : listingsOf(chosen)
        onChange({
          listings,
          ...WITHOUT_VERSION,
          ...(column.period.kind === 'release' ? { period: DEFAULT_PERIOD } : {}),
        })
      }}
      allowDeselect={false}
      searchable={known.length > 8}
    />
  )
}

function optionsOfGroup(group: readonly (Listing & { readonly name: string | null })[]): Option[] {
  const single = group.map((app) => ({
    value: appValue([app]),
    label: compareTexts.inStore(app.name ?? app.app_id, STORE_NAMES[app.store]),
  }))
  const [first] = group
  if (group.length < 2 || first === undefined) return single
  return [{ value: appValue(group), label: compareTexts.inBothStores(first.name ?? first.app_id) }, ...single]
}

export function CountryField({ result: { column }, position, onChange }: FieldProps) {
  const { data: apps = [] } = useQuery(appsQuery)
  const { listings, country } = column
  const shown = listings.length === 0 ? apps : listings
  return (
    <Stack gap={4}>
      <Field
        aria-label={compareTexts.fieldOf(compareTexts.storefront, position)}
        placeholder={compareTexts.anyStorefront}
        data={STOREFRONTS.map((value) => ({ value, label: marketNameOf(listings, value) }))}
        value={country ?? null}
        onChange={(chosen) => onChange({ country: STOREFRONTS.find((code) => code === chosen) })}
        clearable
        clearButtonProps={clearButton(compareTexts.storefront, position)}
        searchable
      />
      {country !== undefined && shown.some(({ store }) => store === 'google') && (
        <Text size="xs" c="dimmed">
          {compareTexts.languageNote(googleLanguageName(country))}
        </Text>
      )}
    </Stack>
  )
}

/** What the page does not know by name yet, or the app does not have. */
const LAST_VERSIONS: readonly Option[] = [
  { value: NEWEST_VERSION, label: compareTexts.newestVersion },
  { value: VERSION_BEFORE, label: compareTexts.versionBefore },
]

export function VersionField({ result: { column, versions }, position, onChange }: FieldProps) {
  const isOfAllApps = column.listings.length === 0
  const chosen = column.version
  const last = LAST_VERSIONS.filter(({ value }) => value === chosen)
  const named = withChosen(
    versions.map(({ version }) => version),
    last.length === 0 ? chosen : undefined,
  )
  return (
    <Field
      aria-label={compareTexts.fieldOf(compareTexts.version, position)}
      placeholder={isOfAllApps ? compareTexts.needsApp : compareTexts.anyVersion}
      data={[...last, ...named.map((value) => ({ value, label: value }))]}
      value={chosen ?? null}
      onChange={(version) => onChange({ version: version ?? undefined })}
      disabled={isOfAllApps && chosen === undefined}
      clearable
      clearButtonProps={clearButton(compareTexts.version, position)}
      searchable
    />
  )
}

export function PeriodField({ result: { column, versions, resolved }, position, onChange }: FieldProps) {
  const { period } = column
  const release = period.kind === 'release' ? period.version : undefined
  const releases = withChosen(
    versions.map(({ version }) => version),
    release,
  ).map((version) => ({ value: `${RELEASE}${version}`, label: periodTexts.since(version) }))
  const handleChange = (chosen: string | null) => {
    if (chosen === null) return
    if (chosen.startsWith(RELEASE)) {
      onChange({ period: { kind: 'release', version: chosen.slice(RELEASE.length) } })
    } else if (chosen === DATES) {
      // The fields begin with the period that was shown.
      const shown = resolved.kind === 'selected' ? resolved : null
      onChange({
        period: { kind: 'dates', since: shown?.since.toISOString(), until: shown?.until.toISOString() },
      })
    } else {
      const days = Number.parseInt(chosen, 10)
      onChange({ period: { kind: 'days', days, before: chosen.endsWith('before') } })
    }
  }
  return (
    <Stack gap={6}>
      <Field
        aria-label={compareTexts.fieldOf(compareTexts.period, position)}
        data={[
          { group: periodTexts.days, items: DAYS.flatMap(dayOptions) },
          ...(releases.length === 0 ? [] : [{ group: periodTexts.releases, items: releases }]),
          { value: DATES, label: periodTexts.dates },
        ]}
        value={
          period.kind === 'days'
            ? daysValue(period.days, period.before)
            : period.kind === 'dates'
              ? DATES
              : `${RELEASE}${period.version}`
        }
        onChange={handleChange}
        allowDeselect={false}
        maxDropdownHeight={320}
      />
      {period.kind === 'dates' && (
        <Suspense>
          <DateTimeField
            label={commonTexts.since}
            name={compareTexts.fieldOf(commonTexts.since, position)}
            value={period.since}
            onChange={(since) => onChange({ period: { ...period, since } })}
          />
          <DateTimeField
            label={commonTexts.until}
            name={compareTexts.fieldOf(commonTexts.until, position)}
            value={period.until}
            onChange={(until) => onChange({ period: { ...period, until } })}
          />
        </Suspense>
      )}
    </Stack>
  )
}

function dayOptions(days: number): Option[] {
  return [
    { value: daysValue(days, false), label: periodTexts.last(days) },
    { value: daysValue(days, true), label: periodTexts.before(days) },
  ]
}

function daysValue(days: number, before: boolean): string {
  return `${days}d${before ? '-before' : ''}`
}

/** The chosen version stays in the list, even if no review of the last year has it. */
function withChosen(versions: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || versions.includes(chosen) ? [...versions] : [...versions, chosen]
}

/** Mantine hides it from screen readers. With the keyboard, choosing the same option again clears a field. */
function clearButton(field: string, position: number) {
  return {
    'aria-label': tableTexts.clearField(compareTexts.fieldOf(field.toLowerCase(), position)),
    'aria-hidden': false,
  } as const
}
