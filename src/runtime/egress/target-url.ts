import { isIP } from 'node:net'
import type { AddressGuard } from './guard.ts'

/** Characters of a target's URL. Chosen: browsers and proxies support this length. */
export const TARGET_URL_CHARS_MAX = 2048

export type TargetUrlCheck =
  /** `url` is the canonical form, without fragment: what will be requested. */
  { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string }

/**
 * Checks a target's URL before it is saved, so that no hook has one that events can never be sent to. Names are not
 * resolved here: the guard decides at every connection, on the address that is dialled. `problem` follows the name of the
 * field: "must be …".
 */
export function checkTargetUrl(text: string, guard: AddressGuard): TargetUrlCheck {
  if (text.length > TARGET_URL_CHARS_MAX) return refused(`has more than ${TARGET_URL_CHARS_MAX} characters.`)
  // The URL parser would drop tabs and line breaks and trim spaces, and save another URL than the given one.
  if (hasSpaceOrControl(text)) return refused('must not contain spaces or control characters.')
  const url = URL.parse(text)
  if (!url) return refused('must be an absolute URL such as https://example.com/hook.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '') return refused('must not contain a user name or password.')
  if (url.port === '0') return refused('must not use port 0; allowed are 1 to 65535.')
  const host = hostRefusal(url.hostname, guard)
  if (host) return refused(host)
  url.hash = ''
  return { ok: true, url: url.href }
}

function hostRefusal(hostname: string, guard: AddressGuard): string | null {
  const name = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(name) !== 0) {
    const verdict = guard(name)
    if (verdict === 'allowed') return null
    return verdict === 'metadata'
      ? `points at ${name}, a cloud metadata address, which is never called.`
      : `points at ${name}, a private or otherwise special address; the operator can allow it with RADAR_ALLOW_TARGET_CIDRS.`
  }
  // Resolvers answer `localhost` and everything under it with one or both loopback addresses (RFC 6761 6.3).
  if (/(^|\.)localhost\.?$/.test(name) && (guard('127.0.0.1') !== 'allowed' || guard('::1') !== 'allowed')) {
    return `points at ${name}, this machine itself; the operator can allow it with RADAR_ALLOW_TARGET_CIDRS=127.0.0.0/8,::1.`
  }
  return null
}

function refused(problem: string): TargetUrlCheck {
  return { ok: false, problem }
}

function hasSpaceOrControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20 || code === 0x7f) return true
  }
  return false
}
