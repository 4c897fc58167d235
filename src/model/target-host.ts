import { hasReceiver } from './inbox.ts'

/**
 * Host and port of a target, the key of the limit per host, which `https://example.com/a` and
 * `https://example.com:443/b` share.
 */
export function targetHost(targetUrl: string): string {
  if (!hasReceiver({ targetUrl })) return targetUrl.replace(':', '')
  const url = new URL(targetUrl)
  if (url.protocol === 'mailto:') return 'mail'
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`
}
