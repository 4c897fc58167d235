import ipaddr from 'ipaddr.js'

declare const brand: unique symbol
/** The network of a client, such as `203.0.113.0/24`: the only key of limits for clients, because an attacker has many addresses. */
export type Network = string & { readonly [brand]: 'network' }

const IPV4_NETWORK_BITS = 24
/** The network that a provider assigns to one customer; a single host has a part of it, such as a /64. */
const IPV6_NETWORK_BITS = 56

/** What a provider assigns to an organization, and some to 256 customers. */
const IPV6_SITE_BITS = 48

/** The network of an IP address, so that all addresses of one attacker share a count. Returns other text unchanged. */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return address as Network
  const parsed = ipaddr.process(address)
  return networkOfBits(parsed, parsed.kind() === 'ipv4' ? IPV4_NETWORK_BITS : IPV6_NETWORK_BITS)
}

/** The /48 of an IPv6 network; null for others. */
export function siteOf(network: Network): Network | null {
  const [address = ''] = network.split('/')
  return ipaddr.IPv6.isValid(address) ? networkOfBits(ipaddr.IPv6.parse(address), IPV6_SITE_BITS) : null
}

function networkOfBits(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): Network {
  const network = address.toByteArray().map((byte, index) => byte & maskOf(bits - index * 8))
  return `${ipaddr.fromByteArray(network)}/${bits}` as Network
}

/** The mask of a byte whose first `bits` belong to the network. */
function maskOf(bits: number): number {
  return 0xff & ~(0xff >> Math.min(8, Math.max(0, bits)))
}
