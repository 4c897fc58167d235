import { Refusal } from '../errors.ts'

/** A header that a page of another site cannot set without our leave, which nobody gets. */
export const CONSOLE_HEADER = 'x-radar-console'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Refuses, with 403 and a sentence, a change that the console's own pages did not ask for (cross-site request
 * forgery). Besides the cookie's SameSite: the console's header, and what the browser tells of where the request comes
 * from. `origins` are those under which we are reached; the host that was asked counts too, since a page of another
 * site cannot choose it.
 */
export function refuseForeign(headers: Headers, origins: readonly string[]): void {
  if (headers[CONSOLE_HEADER] !== '1') {
    throw new Refusal('forbidden', `Changes need the header "${CONSOLE_HEADER}: 1", which the console sends.`)
  }
  const site = headers['sec-fetch-site']
  const { origin, host } = headers
  const known = origin === undefined || origins.includes(String(origin)) || hostOf(origin) === host
  if (!known || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new Refusal('forbidden', 'This was asked for by a page of another site.')
  }
}

function hostOf(origin: string | string[]): string | null {
  return URL.parse(String(origin))?.host ?? null
}
