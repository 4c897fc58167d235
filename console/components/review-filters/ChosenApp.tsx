import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../../data/apps.ts'

/** The name of the app that a filter names. */
export function ChosenApp({ store, appId }: { readonly store: string | undefined; readonly appId: string }) {
  const { data } = useQuery(appsQuery)
  return (
    data?.find((app) => app.app_id === appId && (store === undefined || app.store === store))?.name ?? appId
  )
}
