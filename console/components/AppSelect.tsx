import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { STORES, type Store } from '../../src/model/vocabulary.ts'
import { appsQuery } from '../data/apps.ts'
import { STORE_NAMES } from './StoreBadge.tsx'

type Chosen = { readonly store: Store; readonly appId: string }

/** One of the account's apps; null when none is chosen. */
export function AppSelect({
  app,
  onChoose,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange' | 'error'> & {
  readonly app: { readonly store: string; readonly appId: string } | null
  readonly onChoose: (app: Chosen | null) => void
}) {
  const apps = useQuery(appsQuery)
  return (
    <Select
      data={(apps.data ?? []).map((line) => ({
        value: `${line.store}/${line.appId}`,
        label: `${line.name ?? line.appId} (${STORE_NAMES[line.store] ?? line.store})`,
      }))}
      value={app === null ? null : `${app.store}/${app.appId}`}
      onChange={(value) => onChoose(chosenOf(value))}
      error={apps.isError ? 'Your apps could not be loaded' : null}
      searchable
      {...select}
    />
  )
}

/** The value's store and id; an id may hold a slash, a store does not. */
function chosenOf(value: string | null): Chosen | null {
  const slash = value?.indexOf('/') ?? -1
  const store = STORES.find((each) => each === value?.slice(0, slash))
  return value === null || store === undefined ? null : { store, appId: value.slice(slash + 1) }
}
