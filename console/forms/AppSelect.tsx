import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import { STORES, type Store } from '../../src/model/vocabulary.ts'
import { appsQuery } from '../data/apps.ts'
import { stateTexts } from '../messages/common.ts'

export type AppKey = { readonly store: Store; readonly app_id: string }

export function keyOf({ store, app_id }: AppKey): string {
  return `${store}/${app_id}`
}

/** The account's apps as options of a select. The `chosen` apps stay in the list even if the account no longer tracks them. */
export function appOptions(
  apps: readonly (AppKey & { readonly name: string | null })[],
  chosen: readonly AppKey[] = [],
): { value: string; label: string }[] {
  const removed = chosen.filter(
    (app) => !apps.some(({ store, app_id }) => store === app.store && app_id === app.app_id),
  )
  return [...apps, ...removed.map((app) => ({ ...app, name: null }))].map((app) => ({
    value: keyOf(app),
    label: `${app.name ?? app.app_id} (${STORE_NAMES[app.store]})`,
  }))
}

/** Selects one of the account's apps; null for none. */
export function AppSelect({
  app,
  onChoose,
  error,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  readonly app: { readonly store?: string | undefined; readonly app_id?: string | undefined } | null
  readonly onChoose: (app: AppKey | null) => void
}) {
  const apps = useQuery(appsQuery)
  return (
    <Select
      data={appOptions(apps.data ?? [])}
      value={app?.store && app.app_id ? `${app.store}/${app.app_id}` : null}
      onChange={(value) => onChoose(parseAppKey(value))}
      error={error ?? (apps.isError ? stateTexts.appsFailed : null)}
      searchable
      {...select}
    />
  )
}

/** Splits an option at its first slash: an app ID may contain slashes, a store does not. */
export function parseAppKey(value: string | null): AppKey | null {
  const slash = value?.indexOf('/') ?? -1
  const store = STORES.find((each) => each === value?.slice(0, slash))
  return value === null || store === undefined ? null : { store, app_id: value.slice(slash + 1) }
}
