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
 * Whether a connection to an address may be opened. `special`: a private, loopback, link-local or otherwise not public
 * address that no setting allows. `metadata`: where clouds keep a machine's credentials; no setting can allow it.
 */
export type AddressVerdict = 'allowed' | 'special' | 'metadata'

/** Decides on an IP address given as text. Anything else is `special`. Pure. */
export type AddressGuard = (address: string) => AddressVerdict

/** IANA special-purpose registry for IPv4 (RFC 6890 and its updates), plus multicast and the reserved rest. */
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

/** All public IPv6 hosts are in here (RFC 4291 2.5.4); everything outside is special. */
export const GLOBAL_IPV6 = '2000::/3'

/** Special inside the public range: IETF protocols with Teredo, documentation, 6to4, documentation. */
export const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const

/** A translator's prefix (RFC 6052): the address behind it is the IPv4 address in the last 32 bits. */
export const NAT64 = '64:ff9b::/96'

/**
 * Credentials services of AWS (instance, ECS, EKS), Google, Azure, Alibaba, Oracle, Tencent and Scaleway. Azure's
 * 168.63.129.16 looks public; most others are in special ranges and stay refused when the range is allowed.
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
 * The guard for targets. `allowCidrs` (RADAR_ALLOW_TARGET_CIDRS) opens special ranges, never metadata addresses.
 * Throws for an entry that `parseCidrs` refuses: settings are checked before.
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
  const translated = behindNat64(address)
  if (translated !== null) return isPublic(translated)
  return contains(globalIPv6, address) && !within(specialIPv6, address)
}

function isAllowedNat64(address: Address, allowed: readonly Cidr[]): boolean {
  const translated = behindNat64(address)
  return translated !== null && within(allowed, translated)
}

/** The IPv4 address that a NAT64 address leads to; null for any other address. */
function behindNat64(address: Address): Address | null {
  return isIPv6(address) && contains(nat64, address) ? embeddedIPv4(address, LAST_FOUR_BYTES) : null
}

function isMetadata(address: Address): boolean {
  if (within(metadata, address)) return true
  if (!isIPv6(address)) return false
  // Outside the public range the last four bytes may be an IPv4 address (mapped, compatible, translated, ISATAP); 6to4
  // has it after its first two. In the public range the same bytes are only a host number.
  if (contains(sixToFour, address)) return isMetadata(embeddedIPv4(address, SIX_TO_FOUR_BYTES))
  return !contains(globalIPv6, address) && isMetadata(embeddedIPv4(address, LAST_FOUR_BYTES))
}

/** First byte of an IPv4 address embedded in IPv6: at the end in most schemes, after the prefix in 6to4. */
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
