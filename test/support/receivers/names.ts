import type { LookupAddress } from 'node:dns'
import type { Lookup } from '../../../src/runtime/egress/connect.ts'
import { response, startRaw } from './raw-server.ts'
import { blocked, failing, type Receiver } from './receiver.ts'

const LOCAL: LookupAddress = { address: '127.0.0.1', family: 4 }
const METADATA: LookupAddress = { address: '169.254.169.254', family: 4 }

/**
 * The DNS of the receivers, for the `lookup` of the egress. It knows only names under `.receiver.test`. One name resolves
 * differently each time, so each egress needs its own instance.
 */
export function createReceiverLookup(): Lookup {
  let lookups = 0
  const answers: Record<string, () => Promise<readonly LookupAddress[]>> = {
    'tls.receiver.test': async () => [LOCAL],
    'nobody.receiver.test': () => Promise.reject(dnsError('ENOTFOUND')),
    'servfail.receiver.test': () => Promise.reject(dnsError('EAI_AGAIN')),
    'slow.receiver.test': () => new Promise(() => {}),
    'empty.receiver.test': async () => [],
    'private.receiver.test': async () => [{ address: '10.20.30.40', family: 4 }],
    'metadata.receiver.test': async () => [METADATA],
    'mapped.receiver.test': async () => [{ address: '::ffff:127.0.0.1', family: 6 }],
    'mixed.receiver.test': async () => [LOCAL, { address: '192.168.1.1', family: 4 }],
    'rebinding.receiver.test': async () => [lookups++ === 0 ? LOCAL : METADATA],
  }
  return (hostname) => answers[hostname]?.() ?? Promise.reject(dnsError('ENOTFOUND'))
}

/** Receivers with names that do not resolve or resolve to blocked addresses. */
export const NAME_RECEIVERS: readonly Receiver[] = [
  named('name-unknown', 'nobody', failing('dns', null)),
  named('name-servers-fail', 'servfail', failing('dns', null)),
  named('name-servers-hang', 'slow', failing('timeout_connect', null)),
  named('name-without-address', 'empty', failing('dns', null)),
  named('name-of-a-private-address', 'private', blocked('blocked_address')),
  named('name-of-the-metadata-address', 'metadata', blocked('blocked_address')),
  named('name-of-a-mapped-address', 'mapped', blocked('blocked_address')),
  named('name-with-one-private-address-of-two', 'mixed', blocked('blocked_address')),
  {
    name: 'name-rebound-to-metadata',
    // The receiver closes each connection, so that the second attempt resolves the name again.
    start: () =>
      startRaw({
        host: 'rebinding.receiver.test',
        answer: (socket) => socket.end(response('500 No', { connection: 'close' })),
      }),
    expect: {
      attempts: [
        { reason: 'http_status', httpStatus: 500 },
        { reason: 'blocked_address', httpStatus: null },
      ],
      final: { status: 'dead', reason: 'blocked_address', attempts: 2 },
      reached: 1,
    },
  },
  literal('literal-private-address', '10.20.30.40'),
  literal('literal-metadata-address', '169.254.169.254'),
  literal('literal-mapped-address', '[::ffff:127.0.0.1]'),
  literal('literal-azure-metadata-as-a-number', '2822734096'),
  {
    name: 'port-closed',
    start: async () => {
      const running = await startRaw({})
      await running.close()
      return { ...running, close: async () => {} }
    },
    expect: { ...failing('connect_refused', null), reached: 0 },
  },
]

function named(name: string, host: string, expect: Receiver['expect']): Receiver {
  return {
    name,
    start: () =>
      startRaw({ host: `${host}.receiver.test`, answer: (socket) => socket.write(response('200 OK')) }),
    expect: { ...expect, reached: 0 },
  }
}

function literal(name: string, host: string): Receiver {
  return {
    name,
    start: () => startRaw({ host, answer: (socket) => socket.write(response('200 OK')) }),
    expect: blocked('blocked_address'),
  }
}

function dnsError(code: string): Error {
  return Object.assign(new Error(`getaddrinfo ${code}`), { code })
}
