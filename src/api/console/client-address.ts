import { BlockList, isIP } from 'node:net'

const NEAR = new BlockList()
NEAR.addSubnet('127.0.0.0', 8)
NEAR.addSubnet('10.0.0.0', 8)
NEAR.addSubnet('172.16.0.0', 12)
NEAR.addSubnet('192.168.0.0', 16)
NEAR.addAddress('::1', 'ipv6')
NEAR.addSubnet('fc00::', 7, 'ipv6')

/**
 * Whom to count a sign-in attempt against. Behind a proxy of this machine or network that is the address the proxy
 * saw, the last of `X-Forwarded-For`; from anywhere else the header could be anybody's invention.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined): string {
  const last = forwardedFor?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) !== 0 && isNear(peer) ? last : peer
}

function isNear(peer: string): boolean {
  const address = peer.startsWith('::ffff:') ? peer.slice('::ffff:'.length) : peer
  const family = isIP(address)
  return family !== 0 && NEAR.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
