import { useLocalStorage } from '@mantine/hooks'
import * as z from 'zod/mini'
import { type ReviewSearch, reviewSearch } from './search.ts'
import { useSession } from './session.ts'

/** Named filters of the review feed. */
export type SavedView = { readonly name: string; readonly filters: ReviewSearch }

const views = z.catch(z.array(z.object({ name: z.string(), filters: reviewSearch })), [])

/**
 * The user's saved views in this browser. The service does not store them: a view is a URL that can be sent to anybody in
 * the account.
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
    /** Replaces a view of the same name. */
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
