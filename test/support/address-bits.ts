import { isIPv4, isIPv6 } from 'node:net'
import {
  type AddressGuard,
  GLOBAL_IPV6,
  METADATA_ADDRESSES,
  NAT64,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from '../../src/runtime/egress/guard.ts'

/** A second implementation of the egress guard, on IP addresses as plain numbers, to compare the real guard with. */

/** An address as a number: 32 bits for family 4, 128 bits for family 6. */
export type Address = { readonly family: 4 | 6; readonly bits: bigint }

/** A block of addresses: those whose first `prefix` bits are those of `bits`. */
export type Cidr = Address & { readonly prefix: number }

const GROUPS = 8

/** Parses an address in the formats of `net.isIP`, with or without brackets or zone. Null for other text. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, bits: BigInt(ipv4Number(text)) }
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (!isIPv6(bare)) return null
  // A zone (`fe80::1%eth0`) names an interface and is not part of the address.
  return { family: 6, bits: ipv6Bits(bare.split('%', 1)[0] ?? '') }
}

/**
 * Parses CIDR blocks such as `10.0.0.0/8` or `fd00::/8`. An address without prefix is a block of one address. Bits after
 * the prefix are ignored, and blank entries are skipped. The message names the first invalid entry.
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

export function contains(cidr: Cidr, address: Address): boolean {
  if (cidr.family !== address.family) return false
  const rest = BigInt(widthOf(cidr) - cidr.prefix)
  return cidr.bits >> rest === address.bits >> rest
}

/** The last 32 bits as an IPv4 address: most schemes embed IPv4 in IPv6 there. */
export function embeddedIPv4(address: Address): Address {
  return { family: 4, bits: address.bits & 0xffff_ffffn }
}

function parseCidr(text: string): Cidr | string {
  const [base = '', length, ...more] = text.split('/')
  const address = parseAddress(base)
  if (!address || more.length > 0) {
    return `"${text}" is not an address block; write it like 10.0.0.0/8, fd00::/8 or 127.0.0.1.`
  }
  const width = widthOf(address)
  const prefix = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (prefix < 0 || prefix > width) {
    return `"${text}" has a bad prefix length; for IPv${address.family} it is a whole number from 0 to ${width}.`
  }
  return { ...address, prefix }
}

function widthOf(address: Address): number {
  return address.family === 4 ? 32 : 128
}

function ipv4Number(text: string): number {
  let value = 0
  for (const part of text.split('.')) value = value * 256 + Number(part)
  return value
}

function ipv6Bits(text: string): bigint {
  const [head = '', tail] = withoutDots(text).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = new Array<string>(GROUPS - front.length - back.length).fill('0')
  let bits = 0n
  for (const group of [...front, ...zeros, ...back]) bits = (bits << 16n) | BigInt(`0x${group}`)
  return bits
}

/** Rewrites the dotted end of `::ffff:1.2.3.4` as two groups. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(':') + 1
  const dotted = text.slice(start)
  if (!dotted.includes('.')) return text
  const value = ipv4Number(dotted)
  return `${text.slice(0, start)}${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
}

/** The egress guard on numbers. Tests compare its results with those of the real one. */
export function createBitGuard(options: { readonly allowCidrs: readonly string[] }): AddressGuard {
  const allowed = cidrs(options.allowCidrs)
  return (text) => {
    const address = parseAddress(text)
    if (!address) return 'special'
    if (isMetadata(address)) return 'metadata'
    return isPublic(address) || within(allowed, address) || isAllowedNat64(address, allowed)
      ? 'allowed'
      : 'special'
  }
}

function isPublic(address: Address): boolean {
  if (address.family === 4) return !within(specialIPv4, address)
  if (contains(nat64, address)) return isPublic(embeddedIPv4(address))
  return contains(globalIPv6, address) && !within(specialIPv6, address)
}

function isAllowedNat64(address: Address, allowed: readonly Cidr[]): boolean {
  return contains(nat64, address) && within(allowed, embeddedIPv4(address))
}

function isMetadata(address: Address): boolean {
  if (metadata.some((one) => one.family === address.family && one.bits === address.bits)) return true
  if (address.family === 4) return false
  // Outside the public range, the last 32 bits may be an IPv4 address (mapped, compatible, translated, ISATAP). 6to4 has
  // it after the first 16 bits. In the public range, these bits are a host number.
  if (contains(sixToFour, address)) return isMetadata(embeddedIPv4({ family: 6, bits: address.bits >> 80n }))
  return !contains(globalIPv6, address) && isMetadata(embeddedIPv4(address))
}

function within(blocks: readonly Cidr[], address: Address): boolean {
  for (const block of blocks) if (contains(block, address)) return true
  return false
}

function cidrs(entries: readonly string[]): readonly Cidr[] {
  const parsed = parseCidrs(entries)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.cidrs
}

function cidr(entry: string): Cidr {
  const [block] = cidrs([entry])
  if (!block) throw new Error(`No address block in "${entry}".`)
  return block
}

const specialIPv4 = cidrs(SPECIAL_IPV4)
const specialIPv6 = cidrs(SPECIAL_IPV6)
const globalIPv6 = cidr(GLOBAL_IPV6)
const nat64 = cidr(NAT64)
const sixToFour = cidr('2002::/16')
const metadata = cidrs(METADATA_ADDRESSES)
