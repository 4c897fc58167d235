/** The account that a page shows, with each of its requests. One while the session is in another account answers 403. */
export const ACCOUNT_HEADER = 'x-radar-account'

/** The same in the address of a download, which is a link and has no headers of its own. */
export const ACCOUNT_QUERY = 'page_account'
