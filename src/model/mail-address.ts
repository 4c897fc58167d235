/**
 * Nothing but one plain address: no display name, comment, quotes, second address or control character. The mail server decides whether it
 * exists.
 */
export const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,58}[A-Za-z0-9])$/
export const MAIL_ADDRESS_CHARS_MAX = 254

/**
 * The address with a domain such as `bücher.example` in its ASCII form, which also mail servers without SMTPUTF8 know. Others are
 * unchanged.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || /^[ -~]*$/.test(domain)) return address
  return address.slice(0, at) + (URL.parse(`http://${domain}`)?.hostname ?? domain)
}
