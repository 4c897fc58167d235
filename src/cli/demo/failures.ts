import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EgressAnswer } from '../../runtime/egress/egress.ts'
import { SIMULATED_APPS } from '../../simulate/simulated-apps.ts'
import type { World } from '../../simulate/world.ts'
import type { DemoTargets } from './destinations.ts'

/** Failures in the demo, so that its console has examples of them. */

/** The flaky destination accepts one of three requests. */
const FLAKY_ACCEPTS_EVERY = 3
const FLAKY_STATUS = 503
const DAY_MS = 24 * 3_600_000
/** How long the dead destination has had no listener: longer than all retries take, so there are dead letters. */
const DEAD_DAYS = 6

/** Opens a destination that rejects most requests, and closes another one. */
export async function openFailingDestinations(
  opened: AsyncDisposableStack,
): Promise<Pick<DemoTargets, 'flaky' | 'dead'>> {
  let requests = 0
  const flaky = createServer((request, response) => {
    requests += 1
    request.resume()
    response.writeHead(requests % FLAKY_ACCEPTS_EVERY === 0 ? 204 : FLAKY_STATUS).end()
  })
  const flakyPort = await listen(flaky)
  opened.defer(() => close(flaky))
  const dead = createServer()
  const deadPort = await listen(dead)
  await close(dead)
  return { flaky: `http://127.0.0.1:${flakyPort}/flaky`, dead: `http://127.0.0.1:${deadPort}/dead` }
}

/** The answers of the destinations before the demo started. */
export function pastAnswers({ flaky, dead }: DemoTargets, now: Date, random: () => number) {
  return (url: string, at: Date): EgressAnswer => {
    const connectMs = 1 + 3 * random()
    const firstByteMs = connectMs + 8 + 60 * random() ** 3
    const timings = { dnsMs: null, connectMs, tlsMs: null, firstByteMs, totalMs: firstByteMs + 1 }
    if (url === dead && now.getTime() - at.getTime() < DEAD_DAYS * DAY_MS) {
      return {
        kind: 'failed',
        reason: 'connect_refused',
        detail: 'The target refused the connection.',
        remoteAddress: '127.0.0.1',
        timings: { ...timings, connectMs: null, firstByteMs: null, totalMs: connectMs },
        status: null,
      }
    }
    const fails = url === flaky && random() > 1 / FLAKY_ACCEPTS_EVERY
    return {
      kind: 'answered',
      status: fails ? FLAKY_STATUS : 204,
      headers: {},
      body: Buffer.alloc(0),
      truncated: false,
      remoteAddress: '127.0.0.1',
      timings,
    }
  }
}

/** Makes the store answer one feed in an unknown format. */
export function breakFeed(world: World): void {
  const app = SIMULATED_APPS[1]
  if (app !== undefined) {
    world.setFault({ store: 'google', appId: app.appIds.google, market: 'ja' }, { kind: 'changed' })
  }
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
