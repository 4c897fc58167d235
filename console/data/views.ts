import { useLocalStorage } from '@mantine/hooks'
import * as z from 'zod/mini'
import { type ReviewSearch, reviewSearch } from './search.ts'
import { useSession } from './session.ts'

/** Filters of the review feed under a name. */
export type SavedView = { readonly name: string; readonly filters: ReviewSearch }

const views = z.catch(z.array(z.object({ name: z.string(), filters: reviewSearch })), [])

/**
 * The saved views of this person in this browser. They are kept here and not by the service: a view is an address,
 * which can be sent to anybody in the account.
 */
export function useSavedViews() {
  const session = useSession()
  const [saved, setSaved] = useLocalStorage<readonly SavedView[]>({
    key: `radar.views.${session.user?.id ?? ''}`,
    defaultValue: [],
    deserialize: (text) => views.parse(parsedOr(text)),
    getInitialValueInEffect: false,
  })
  return {
    saved,
    /** Replaces the one with the same name. */
    save: (view: SavedView) => setSaved([...saved.filter(({ name }) => name !== view.name), view]),
    remove: (name: string) => setSaved(saved.filter((view) => view.name !== name)),
  }
}

function parsedOr(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '[]')
  } catch {
    return []
  }
}
