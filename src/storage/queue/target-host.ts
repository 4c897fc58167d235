import { isInbox } from '../../model/inbox.ts'

/** Host and port of a target, the key of the limit per host: `https://example.com/a` and `https://example.com:443/b` share one. */
export function targetHost(targetUrl: string): string {
  if (isInbox({ targetUrl })) return 'inbox'
  const url = new URL(targetUrl)
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`
}
