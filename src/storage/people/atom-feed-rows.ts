import type { AtomFeed } from '../../model/atom-feed.ts'
import type { Store } from '../../model/vocabulary.ts'
import { dateOf } from '../values.ts'

export const ATOM_FEED_COLUMNS = 'id, account_id, store, app_id, created_at'

export type AtomFeedRow = {
  id: string
  account_id: string
  store: Store
  app_id: string
  created_at: number
}

export function atomFeedOf(row: AtomFeedRow): AtomFeed {
  return {
    id: row.id,
    accountId: row.account_id,
    store: row.store,
    appId: row.app_id,
    createdAt: dateOf(row.created_at),
  }
}
