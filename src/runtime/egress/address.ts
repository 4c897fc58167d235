import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A block of addresses: those whose first `prefix` bits are those of `base`. */
export type Cidr = { readonly base: Address; readonly prefix: number }

/**
 * Parses an address in the forms that `net.isIP` accepts, with or without brackets or zone; null for anything else. The
 * library would also accept `127.1` and octal numbers.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text)
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIP(bare) !== 6) return null
  // A zone (`fe80::1%eth0`) names an interface and is not part of the address. The library parses `::1.2.3.4` as
  // `::ffff:1.2.3.4`, so the URL parser converts the dotted part to hexadecimal first.
  const canonical = URL.parse(`http://[${bare.split('%', 1)[0]}]`)?.hostname.slice(1, -1) ?? ''
  return ipaddr.IPv6.isValid(canonical) ? ipaddr.IPv6.parse(canonical) : null
}

/**
 * Parses CIDR blocks such as `10.0.0.0/8` or `fd00::/8`. A single address is a block of one address. Bits after the
 * prefix are ignored, and blank entries are skipped. The message names the first invalid entry.
 */
export function parseCidrs(
  entries: readonly string[],
): { readonly ok: true; readonly cidrs: readonly Cidr[] } | { readonly ok: false; readonly message: string } {
  const cidrs: Cidr[] = []
  for (const entry of entries) {
    const text = entry.trim()
    if (text === '') continue
    const cidr = parseCidr(text)
    if (typeof cidr === 'string') return { ok: false, message: cidr }
    cidrs.push(cidr)
  }
  return { ok: true, cidrs }
}

export function contains({ base, prefix }: Cidr, address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, prefix)
}

export function isIPv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}

/** The IPv4 address in the four bytes of an IPv6 address from byte `from`. */
export function embeddedIPv4(address: ipaddr.IPv6, from: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(from, from + 4))
}

function parseCidr(text: string): Cidr | string {
  const [host = '', length, ...more] = text.split('/')
  const base = parseAddress(host)
  if (!base || more.length > 0) {
    return `"${text}" is not an address block; write it like 10.0.0.0/8, fd00::/8 or 127.0.0.1.`
  }
  const [family, width] = isIPv6(base) ? [6, 128] : [4, 32]
  const prefix = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (prefix < 0 || prefix > width) {
    return `"${text}" has an invalid prefix length; for IPv${family} it is a whole number from 0 to ${width}.`
  }
  return { base, prefix }
}
