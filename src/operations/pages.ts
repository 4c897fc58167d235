import type { AccountStorage } from '../storage/port/accounts.ts'
import { OperationError } from './error.ts'

/**
 * All pages of a list of an account. `read` gets the cursor of a page, null for the first; `next` is null for the last page. Throws
 * `not_found` once its deletion has begun: rows are missing from then on, and the last page would look like the end. `accountId` null means
 * all accounts, which may lack one that is deleted.
 */
export async function* accountPages<Page, Cursor>(
  accounts: Pick<AccountStorage, 'isActive'>,
  accountId: string | null,
  read: (cursor: Cursor | null) => Promise<Page>,
  next: (page: Page) => Cursor | null,
): AsyncGenerator<Page> {
  let cursor: Cursor | null = null
  do {
    const page: Page = await read(cursor)
    if (accountId !== null && !(await accounts.isActive(accountId)))
      throw new OperationError('not_found', 'The account was deleted while the list was read.')
    yield page
    cursor = next(page)
  } while (cursor !== null)
}

/** The cursor after rows in the order of their numbers; null when there are fewer than `limit`. */
export function nextBySeq(rows: readonly { readonly seq: number }[], limit: number): number | null {
  return rows.length < limit ? null : (rows.at(-1)?.seq ?? null)
}
