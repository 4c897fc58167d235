import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import { STORES, type Store } from '../../src/model/vocabulary.ts'
import { appsQuery } from '../data/apps.ts'
import { stateTexts } from '../messages/common.ts'

type AppKey = { readonly store: Store; readonly appId: string }

/** The account's apps as options of a select. The `chosen` apps stay in the list even if the account no longer tracks them. */
export function appOptions(
  apps: readonly (AppKey & { readonly name: string | null })[],
  chosen: readonly AppKey[] = [],
): { value: string; label: string }[] {
  const removed = chosen.filter(
    (app) => !apps.some(({ store, appId }) => store === app.store && appId === app.appId),
  )
  return [...apps, ...removed.map((app) => ({ ...app, name: null }))].map((app) => ({
    value: `${app.store}/${app.appId}`,
    label: `${app.name ?? app.appId} (${STORE_NAMES[app.store]})`,
  }))
}

/** Selects one of the account's apps; null for none. */
export function AppSelect({
  app,
  onChoose,
  error,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  readonly app: { readonly store?: string | undefined; readonly appId?: string | undefined } | null
  readonly onChoose: (app: AppKey | null) => void
}) {
  const apps = useQuery(appsQuery)
  return (
    <Select
      data={appOptions(apps.data ?? [])}
      value={app?.store && app.appId ? `${app.store}/${app.appId}` : null}
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
  return value === null || store === undefined ? null : { store, appId: value.slice(slash + 1) }
}
