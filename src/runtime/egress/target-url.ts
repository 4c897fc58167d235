import { isIP } from 'node:net'
import type { AddressGuard } from './guard.ts'

/** The most characters of a target URL: the length that browsers and proxies support. */
export const TARGET_URL_CHARS_MAX = 2048

export type TargetUrlCheck =
  /** `url` is the canonical form without fragment, which is requested. */
  { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string }

/**
 * Checks a target URL before it is saved, so that no hook has a URL that can never get events. Does not resolve names:
 * the guard checks the address of every connection. `problem` follows the name of the field: "must be …".
 */
export function checkTargetUrl(text: string, guard: AddressGuard): TargetUrlCheck {
  if (text.length > TARGET_URL_CHARS_MAX) return rejected(`has more than ${TARGET_URL_CHARS_MAX} characters.`)
  // The URL parser would remove tabs, line breaks and outer spaces, and the saved URL would differ from the input.
  if (hasSpaceOrControl(text)) return rejected('must not contain spaces or control characters.')
  const url = URL.parse(text)
  if (!url) return rejected('must be an absolute URL such as https://example.com/hook.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return rejected('must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '') return rejected('must not contain a user name or password.')
  if (url.port === '0') return rejected('must not use port 0; allowed are 1 to 65535.')
  const host = hostProblem(url.hostname, guard)
  if (host) return rejected(host)
  url.hash = ''
  return { ok: true, url: url.href }
}

function hostProblem(hostname: string, guard: AddressGuard): string | null {
  const name = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(name) !== 0) {
    const verdict = guard(name)
    if (verdict === 'allowed') return null
    return verdict === 'metadata'
      ? `points at ${name}, a cloud metadata address, which is never called.`
      : `points at ${name}, a private or otherwise special address; the operator can allow it with RADAR_ALLOW_TARGET_CIDRS.`
  }
  // `localhost` and names under it resolve to one or both loopback addresses (RFC 6761 6.3).
  if (/(^|\.)localhost\.?$/.test(name) && (guard('127.0.0.1') !== 'allowed' || guard('::1') !== 'allowed')) {
    return `points at ${name}, this machine itself; the operator can allow it with RADAR_ALLOW_TARGET_CIDRS=127.0.0.0/8,::1.`
  }
  return null
}

function rejected(problem: string): TargetUrlCheck {
  return { ok: false, problem }
}

function hasSpaceOrControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20 || code === 0x7f) return true
  }
  return false
}
