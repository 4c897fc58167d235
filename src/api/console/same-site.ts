import { ApiError } from '../errors.ts'

/** A page of another site cannot set this header without a CORS permission, which the service never gives. */
export const CONSOLE_HEADER = 'x-radar-console'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Throws 403 for a change that does not come from the console's own pages (cross-site request forgery). Besides the
 * cookie's SameSite it checks the console's header, Sec-Fetch-Site and Origin. `origins` are the service's own; the
 * requested host is accepted too, because a page of another site cannot choose it.
 */
export function refuseForeign(headers: Headers, origins: readonly string[]): void {
  if (headers[CONSOLE_HEADER] !== '1') {
    throw new ApiError(
      'forbidden',
      `Requests that change data need the header "${CONSOLE_HEADER}: 1", which the console sends.`,
    )
  }
  const site = headers['sec-fetch-site']
  const { origin, host } = headers
  const known = origin === undefined || origins.includes(String(origin)) || hostOf(origin) === host
  if (!known || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new ApiError('forbidden', 'This request comes from another site.')
  }
}

function hostOf(origin: string | string[]): string | null {
  return URL.parse(String(origin))?.host ?? null
}
