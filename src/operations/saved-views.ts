import { newId } from '../model/ids.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SavedView, SavedViewStorage } from '../storage/port/saved-views.ts'
import { OperationError } from './error.ts'

export type { SavedView }

export type SavedViewDeps = { readonly savedViews: SavedViewStorage; readonly clock: Clock }

/** A menu with more is not usable. */
const VIEWS_MAX = 100

/** Named filters of the review feed. */
export function savedViewOperations({ savedViews, clock }: SavedViewDeps) {
  return {
    /** By name. */
    list: (accountId: string): Promise<SavedView[]> => savedViews.list(accountId),

    /** Throws `conflict` for a taken name and above `VIEWS_MAX`. */
    async create(
      accountId: string,
      { name, filters, author }: Pick<SavedView, 'name' | 'filters' | 'author'>,
    ): Promise<SavedView> {
      const view = { id: newId('view'), accountId, name, filters, author, createdAt: clock.now() }
      if (await savedViews.create(view, VIEWS_MAX)) return view
      throw new OperationError('conflict', `must be unique: the account has a view named “${name}”.`, {
        field: 'name',
      })
    },

    /** Throws `not_found`. */
    async remove(accountId: string, id: string): Promise<void> {
      if (await savedViews.remove(accountId, id)) return
      throw new OperationError('not_found', 'The account has no view with this id.')
    },
  }
}
