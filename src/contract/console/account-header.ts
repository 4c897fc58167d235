/** The account that a page shows, with each of its requests. One while the session is in another account answers 403. */
export const ACCOUNT_HEADER = 'x-radar-account'
