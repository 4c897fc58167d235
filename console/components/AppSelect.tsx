import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import { STORES, type Store } from '../../src/model/vocabulary.ts'
import { appsQuery } from '../data/apps.ts'

type AppKey = { readonly store: Store; readonly appId: string }

/** Selects one of the account's apps; null for none. */
export function AppSelect({
  app,
  onChoose,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange' | 'error'> & {
  readonly app: { readonly store?: string | undefined; readonly appId?: string | undefined } | null
  readonly onChoose: (app: AppKey | null) => void
}) {
  const apps = useQuery(appsQuery)
  return (
    <Select
      data={(apps.data ?? []).map((line) => ({
        value: `${line.store}/${line.appId}`,
        label: `${line.name ?? line.appId} (${STORE_NAMES[line.store]})`,
      }))}
      value={app?.store && app.appId ? `${app.store}/${app.appId}` : null}
      onChange={(value) => onChoose(parseAppKey(value))}
      error={apps.isError ? 'Loading your apps failed' : null}
      searchable
      {...select}
    />
  )
}

/** Splits an option at its first slash: an app ID may contain slashes, a store does not. */
function parseAppKey(value: string | null): AppKey | null {
  const slash = value?.indexOf('/') ?? -1
  const store = STORES.find((each) => each === value?.slice(0, slash))
  return value === null || store === undefined ? null : { store, appId: value.slice(slash + 1) }
}
