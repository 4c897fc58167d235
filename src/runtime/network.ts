import ipaddr from 'ipaddr.js'

declare const brand: unique symbol
/** The network of a client, such as `203.0.113.0/24`: the only key of limits for clients, because an attacker has many addresses. */
export type Network = string & { readonly [brand]: 'network' }

const IPV4_NETWORK_BITS = 24
/** The network that a provider assigns to one customer; a single host has a part of it, such as a /64. */
const IPV6_NETWORK_BITS = 56

/** The network of an IP address, so that all addresses of one attacker share a count. Returns other text unchanged. */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return address as Network
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? IPV4_NETWORK_BITS : IPV6_NETWORK_BITS
  const network = parsed.toByteArray().map((byte, index) => byte & maskOf(bits - index * 8))
  return `${ipaddr.fromByteArray(network)}/${bits}` as Network
}

/** The mask of a byte whose first `bits` belong to the network. */
function maskOf(bits: number): number {
  return 0xff & ~(0xff >> Math.min(8, Math.max(0, bits)))
}
