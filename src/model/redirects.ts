/**
 * What an answer with a 3xx status means. `accept`: success, for receivers that answer with a redirect to a page after the work. A 307 or
 * 308 always asks for the same request elsewhere, so nothing was done.
 */
export const REDIRECT_RULES = ['fail', 'accept'] as const
export type RedirectRule = (typeof REDIRECT_RULES)[number]

/** Redirects that ask for the same request elsewhere (RFC 9110 15.4). */
const REPEATING_STATUSES: readonly number[] = [307, 308]

export function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399
}

/** Whether a redirect can be the answer to work that was done. */
export function mayFollowWork(status: number): boolean {
  return isRedirect(status) && !REPEATING_STATUSES.includes(status)
}

/** Every web app of Google Apps Script answers with a redirect to a page that exists once. */
const REDIRECTING_HOSTS: readonly string[] = ['script.google.com']

export function redirectsAfterWork(targetUrl: string): boolean {
  return REDIRECTING_HOSTS.includes(URL.parse(targetUrl)?.hostname ?? '')
}
