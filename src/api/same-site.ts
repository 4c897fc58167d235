import { ApiError } from './errors.ts'

/** A page of another site cannot set this header without a CORS permission, which the service never gives. */
export const CONSOLE_HEADER = 'x-radar-console'

/** Of an address in a message. */
const SHOWN_CHARS_MAX = 100

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
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new ApiError('forbidden', 'This request comes from another site.')
  }
  if (!known) throw new ApiError('forbidden', unknownOrigin(String(origin), String(host), origins[0]))
  const secureOrigin = origins[0]?.startsWith('https:') ? origins[0] : null
  if (origin !== undefined && secureOrigin !== null && losesSecureCookies(String(origin)))
    throw new ApiError('forbidden', insecureOrigin(String(origin), secureOrigin))
}

/** Whether browsers drop cookies with `Secure` at an origin: a sign-in would succeed, and the next page would ask for it again. */
function losesSecureCookies(origin: string): boolean {
  const url = URL.parse(origin)
  // At loopback hosts most browsers keep them.
  return url?.protocol === 'http:' && !/^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
}

function insecureOrigin(origin: string, secureOrigin: string): string {
  return `This console was opened at ${origin.slice(0, SHOWN_CHARS_MAX)}, where browsers do not keep the sign-in, because RADAR_PUBLIC_URL is ${secureOrigin}. Open ${secureOrigin} instead.`
}

/** Usually behind a proxy that does not pass on the Host, so the service cannot know the URL that people use. */
function unknownOrigin(origin: string, host: string, ownOrigin: string | undefined): string {
  const seen = URL.parse(origin)?.origin ?? 'null'
  if (seen === 'null') return 'This request comes from another site.'
  return `This request comes from ${seen.slice(0, SHOWN_CHARS_MAX)}, but the service is at ${ownOrigin} and got the Host ${host.slice(0, SHOWN_CHARS_MAX)}. If ${seen.slice(0, SHOWN_CHARS_MAX)} is the URL of this console, set RADAR_PUBLIC_URL to it and restart the service.`
}

function hostOf(origin: string | string[]): string | null {
  return URL.parse(String(origin))?.host ?? null
}
