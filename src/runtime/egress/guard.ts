import {
  type Address,
  type Cidr,
  contains,
  embeddedIPv4,
  isIPv6,
  parseAddress,
  parseCidrs,
} from './address.ts'

/**
 * Whether a connection to an address is allowed. `special`: a private, loopback, link-local or otherwise non-public
 * address that no setting allows. `metadata`: a cloud metadata service, which has credentials of the machine; no
 * setting can allow it.
 */
export type AddressVerdict = 'allowed' | 'special' | 'metadata'

/** Checks an IP address. Any other text is `special`. Pure. */
export type AddressGuard = (address: string) => AddressVerdict

/** IANA special-purpose registry for IPv4 (RFC 6890 and its updates), multicast, and reserved addresses. */
export const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/** The range of public IPv6 addresses (RFC 4291 2.5.4). All others are special. */
export const GLOBAL_IPV6 = '2000::/3'

/** Special ranges within the public range: IETF protocols with Teredo, documentation, 6to4, documentation. */
export const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const

/** The NAT64 prefix (RFC 6052): the last 32 bits are the IPv4 address. */
export const NAT64 = '64:ff9b::/96'

/**
 * Metadata services of AWS (instance, ECS, EKS), Google, Azure, Alibaba, Oracle, Tencent and Scaleway. Azure's
 * 168.63.129.16 looks public. Most others are in special ranges, and stay blocked when the range is allowed.
 */
export const METADATA_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '169.254.0.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
] as const

/**
 * The guard for targets. `allowCidrs` (RADAR_ALLOW_TARGET_CIDRS) allows special ranges, but never metadata addresses.
 * Throws for an invalid entry; settings are checked before.
 */
export function createGuard(options: { readonly allowCidrs: readonly string[] }): AddressGuard {
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
  if (address.kind() === 'ipv4') return !within(specialIPv4, address)
  const translated = nat64IPv4(address)
  if (translated !== null) return isPublic(translated)
  return contains(globalIPv6, address) && !within(specialIPv6, address)
}

function isAllowedNat64(address: Address, allowed: readonly Cidr[]): boolean {
  const translated = nat64IPv4(address)
  return translated !== null && within(allowed, translated)
}

/** The IPv4 address in a NAT64 address; null for any other address. */
function nat64IPv4(address: Address): Address | null {
  return isIPv6(address) && contains(nat64, address) ? embeddedIPv4(address, LAST_FOUR_BYTES) : null
}

function isMetadata(address: Address): boolean {
  if (within(metadata, address)) return true
  if (!isIPv6(address)) return false
  // Outside the public range, the last four bytes may be an IPv4 address (mapped, compatible, translated, ISATAP). 6to4
  // has it after its first two bytes. In the public range, the same bytes are a host number.
  if (contains(sixToFour, address)) return isMetadata(embeddedIPv4(address, SIX_TO_FOUR_BYTES))
  return !contains(globalIPv6, address) && isMetadata(embeddedIPv4(address, LAST_FOUR_BYTES))
}

/** The first byte of an embedded IPv4 address: at the end in most schemes, after the prefix in 6to4. */
const LAST_FOUR_BYTES = 12
const SIX_TO_FOUR_BYTES = 2

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
