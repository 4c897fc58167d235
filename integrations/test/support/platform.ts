import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmPackages } from '../../../test/clients/tools.ts'
import { type Listening, listen } from '../../../test/support/listen.ts'
import type { Person } from '../../../test/support/people.ts'
import { publish } from '../../../test/support/publish.ts'
import { baseline } from '../../../test/support/radar.ts'
import { addApp, type TestService } from '../../../test/support/service.ts'
import { INTEGRATIONS, readJson } from './files.ts'

/** Helpers for tests of the integrations. */

type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A copy of an integration in the temporary folder, with the packages that its package.json names. */
export type Installed = AsyncDisposable & { readonly folder: string; readonly tools: string }

export async function installIntegration(
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Installed> {
  const { dependencies, devDependencies } = readJson<Manifest>(`${name}/package.json`)
  const tools = await npmPackages(name, { ...dependencies, ...devDependencies, ...more })
  const folder = await mkdtemp(join(tmpdir(), `radar-${name}-`))
  await cp(join(INTEGRATIONS, name), folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist)(\/|$)/.test(path.slice(INTEGRATIONS.length)),
  })
  await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    tools,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A server at a wrong address: it answers every request with a page. */
export function startOtherService(): Promise<Listening> {
  return listen(createServer((_, response) => response.end('<!doctype html><p>Welcome')))
}

export const APPLE_APP = { store: 'apple', appId: '310633997', name: 'WhatsApp Messenger' } as const

/** Publishes a review of the tracked app after its feeds were polled once, so that it is new. */
export async function publishNewReview(radar: TestService, rating = 1): Promise<void> {
  await baseline(radar, APPLE_APP.appId)
  publish(radar, { store: 'apple', appId: APPLE_APP.appId, market: 'us' }, { rating })
}

/** Lowers the rating of the tracked app after its feeds were polled once. */
export async function dropRating(radar: TestService): Promise<void> {
  await baseline(radar, APPLE_APP.appId)
  const { store, appId } = APPLE_APP
  radar.world.setRating({ store, appId, storefront: 'us' }, { average: '4.1', count: 1_001 })
}

export function addTrackedApp(radar: TestService): void {
  addApp(radar.world, APPLE_APP)
}

export async function trackApp({ client }: Person): Promise<void> {
  const body = { countries: ['us'] }
  await client.call('PUT', `/tracked-apps/${APPLE_APP.store}/${APPLE_APP.appId}`, { body })
}

/** All paths of an object's keys, such as `enrichment.language`. */
export function keyPaths(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, one]) => [
    `${prefix}${key}`,
    ...keyPaths(one, `${prefix}${key}.`),
  ])
}
