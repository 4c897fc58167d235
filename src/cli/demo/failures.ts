import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SIMULATED_APPS } from '../../simulate/simulated-apps.ts'
import type { World } from '../../simulate/world.ts'

/** Failures in the demo, so that its console has examples of them. */

/** The flaky destination accepts one of three requests. */
const FLAKY_ACCEPTS_EVERY = 3

/** Opens two failing destinations: one rejects most requests, the other has no listener. */
export async function openFailingDestinations(
  opened: AsyncDisposableStack,
): Promise<readonly { readonly url: string; readonly about: string }[]> {
  let requests = 0
  const flaky = createServer((request, response) => {
    requests += 1
    request.resume()
    response.writeHead(requests % FLAKY_ACCEPTS_EVERY === 0 ? 204 : 503).end()
  })
  const flakyPort = await listen(flaky)
  opened.defer(() => close(flaky))
  const dead = createServer()
  const deadPort = await listen(dead)
  await close(dead)
  return [
    { url: `http://127.0.0.1:${flakyPort}/flaky`, about: 'a destination that fails two of three times' },
    { url: `http://127.0.0.1:${deadPort}/dead`, about: 'a destination without a listener' },
  ]
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
