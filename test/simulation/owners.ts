import { STORES } from '../../src/model/vocabulary.ts'
import { OperationError } from '../../src/operations/error.ts'
import type { Instant } from '../../src/runtime/instant.ts'
import { StorageUnavailable } from '../../src/storage/port/errors.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { WrittenConnection } from '../../src/storage/port/store-connections.ts'
import { type ConnectedApp, createWriters } from './answers.ts'
import { type Ledger, sourceKey } from './ledger.ts'
import type { SimulatedNode } from './node.ts'
import type { OfficialStore } from './official-store.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import { appIdOf } from './reviewers.ts'
import type { Scheduler } from './scheduler.ts'

/** Simulated owners of apps, who connect stores, change the sources of their apps and answer reviews. */
export type Owners = {
  readonly start: (untilMs: number) => void
  /** Polls failing sources at once, as their owners would by connecting them again. */
  readonly retryFailing: (storage: Storage, now: Instant) => Promise<void>
}

export function createOwners(deps: {
  readonly plan: Plan
  readonly ledger: Ledger
  readonly official: OfficialStore
  readonly random: Random
  readonly scheduler: Scheduler
  readonly anyNode: () => SimulatedNode | null
}): Owners {
  const { plan, ledger, official, random, scheduler, anyNode } = deps
  const writers = createWriters(deps)
  const apps: ConnectedApp[] = Array.from({ length: plan.connections?.apps ?? 0 }, () => ({
    accountId: `acc_${random.below(plan.accounts)}`,
    store: random.pick(STORES),
    appId: '',
  })).map((app) => ({ ...app, appId: appIdOf(app.store, random.below(plan.apps)) }))
  let connections = 0

  function newConnection({ accountId, store }: ConnectedApp, now: Instant): WrittenConnection {
    connections += 1
    const appIds = Array.from({ length: plan.apps }, (_, app) => appIdOf(store, app))
    return {
      id: `con_${connections}`,
      accountId,
      kind: store === 'apple' ? 'appstoreconnect' : 'googleplay-developer',
      name: `Connection ${connections}`,
      subject: `subject ${connections}`,
      credentials: JSON.stringify(official.credentialsOf(accountId, store, appIds)),
      createdAt: now,
      rotatedAt: null,
      check: {
        ...{ at: now, apps: [], warnings: [], problem: null },
        rights: { readReviews: 'granted', reply: 'granted', history: 'granted' },
      },
    }
  }

  async function connectionOf(storage: Storage, app: ConnectedApp, now: Instant): Promise<string> {
    const stored = (await storage.storeConnections.list(app.accountId)).filter(
      ({ kind }) => (kind === 'appstoreconnect') === (app.store === 'apple'),
    )
    const known = stored.at(-1)
    if (known !== undefined && random.chance(0.9)) return known.id
    const made = newConnection(app, now)
    await storage.storeConnections.create(made, 100)
    return made.id
  }

  async function act(): Promise<void> {
    const app = random.pick(apps)
    const chance = random.next()
    const node = anyNode()
    if (node === null) return
    const { storage } = node
    const { accountId, store, appId } = app
    const now = node.running()?.clock.now() ?? node.machine.now()
    if (chance < 0.3) {
      const id = await connectionOf(storage, app, now)
      ledger.connected.add(sourceKey(accountId, store, appId))
      await storage.reviewSources.use(accountId, app, id, now)
    } else if (chance < 0.45) await storage.reviewSources.leave(accountId, app, now)
    else if (chance < 0.48) {
      const [first] = await storage.storeConnections.list(accountId)
      if (first !== undefined) await storage.storeConnections.remove(accountId, first.id, now)
    } else if (chance < 0.5) await storage.reviewHistories.start(accountId, app, now)
    else await writers.act(node, app)
    node.running()?.flow.wake()
  }

  return {
    start(untilMs) {
      const next = (leastMs: number) => {
        const atMs = scheduler.nowMs() + random.between(leastMs, 20_000)
        if (atMs >= untilMs) return
        scheduler.at(atMs, () => {
          // As for customers: the result of a change that failed is unknown.
          void act().catch((error: unknown) => {
            if (error instanceof StorageUnavailable || error instanceof OperationError) return
            ledger.violate('internal_error', error instanceof Error ? String(error.stack) : String(error))
          })
          next(1_000)
        })
      }
      next(5_000)
    },
    async retryFailing(storage, now) {
      for (const app of apps) {
        const { accountId, store, appId } = app
        const source = (await storage.reviewSources.list(accountId)).find(
          (one) => one.store === store && one.appId === appId,
        )
        if (source === undefined || source.connectionId === null || source.failures === 0) continue
        await storage.reviewSources.use(accountId, app, source.connectionId, now)
      }
    },
  }
}
