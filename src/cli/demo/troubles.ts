import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIFE_APPS } from '../../simulate/life-apps.ts'
import type { World } from '../../simulate/world.ts'

/** What goes wrong in the demo, so that its console shows how that looks. */

/** Of three requests the flaky destination refuses two. */
const FLAKY_ACCEPTS_EVERY = 3

/** Two destinations: one refuses most requests, and nothing listens at the other. */
export async function openTroubles(
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
    { url: `http://127.0.0.1:${flakyPort}/flaky`, about: 'a destination that fails two times of three' },
    { url: `http://127.0.0.1:${deadPort}/dead`, about: 'a destination that nobody listens at' },
  ]
}

/** From now on the store answers one feed in a format that nobody knows. */
export function breakFeed(world: World): void {
  const app = LIFE_APPS[1]
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
