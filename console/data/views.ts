import { useLocalStorage } from '@mantine/hooks'
import * as z from 'zod/mini'
import { type ReviewSearch, reviewSearch, withPresentNames } from './search.ts'
import { useSession } from './session.ts'

/** Named filters of the review feed. */
export type SavedView = { readonly name: string; readonly filters: ReviewSearch }

const filters = z.pipe(z.pipe(z.record(z.string(), z.unknown()), z.transform(withPresentNames)), reviewSearch)
const views = z.catch(z.array(z.object({ name: z.string(), filters })), [])

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
