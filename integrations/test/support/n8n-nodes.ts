import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Person } from '../../../test/support/people.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { type ContextOptions, n8nContext, type Values } from './n8n-context.ts'
import type { N8nPackage } from './n8n-package.ts'
import { addTrackedApp } from './platform.ts'

export type Field = {
  readonly name: string
  readonly options?: readonly (Field & { readonly value?: unknown })[]
  readonly default?: unknown
}

type Node = {
  readonly description: { readonly properties: readonly Field[] }
  readonly methods: { readonly listSearch: { readonly searchApps: (...args: unknown[]) => Promise<unknown> } }
  readonly webhookMethods: {
    readonly default: Readonly<
      Record<'checkExists' | 'create' | 'delete', (this: unknown) => Promise<boolean>>
    >
  }
  readonly trigger: (this: unknown) => Promise<unknown>
  readonly webhook: (this: unknown) => Promise<{ readonly workflowData?: { readonly json: Values }[][] }>
  readonly execute: (this: unknown) => Promise<{ readonly json: Values }[][]>
}

/** The compiled nodes. */
export function n8nNodes({
  folder,
}: Pick<N8nPackage, 'folder'>): Readonly<Record<'trigger' | 'action', Node>> {
  const load = createRequire(join(folder, 'index.js'))
  const instance = (name: string) => {
    const module = load(`./dist/nodes/ReviewRadar/${name}.node.js`) as Record<string, new () => Node>
    assert.ok(module[name])
    return new module[name]()
  }
  return { trigger: instance('ReviewRadarTrigger'), action: instance('ReviewRadar') }
}

export type ServiceForNodes = AsyncDisposable & {
  readonly radar: TestService
  readonly alice: Person
  /** `this` of a node that uses the credential of Alice. */
  readonly contextOf: (parameters: Values, more?: Partial<ContextOptions>) => ReturnType<typeof n8nContext>
}

/** The service with the app of the tests, polled often. */
export async function startServiceForNodes(): Promise<ServiceForNodes> {
  const radar = await startTestService({
    RADAR_REVIEWS_POLL_INTERVAL: '200ms',
    RADAR_OFFICIAL_POLL_INTERVAL: '200ms',
  })
  addTrackedApp(radar)
  const alice = await radar.person('Alice')
  return {
    radar,
    alice,
    contextOf: (parameters, more = {}) =>
      n8nContext({ baseUrl: `${radar.url}/`, token: alice.token, parameters, ...more }),
    [Symbol.asyncDispose]: () => radar[Symbol.asyncDispose](),
  }
}
