import type { Watch } from '../../src/model/hook.ts'
import { DEFAULT_HOOK_OPTIONS } from '../../src/model/hook-options.ts'
import { STORES } from '../../src/model/vocabulary.ts'
import type { WithInstants } from '../../src/runtime/instant.ts'
import type { HookEntry, Ledger } from './ledger.ts'
import type { SimulatedNode } from './node.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import { targetUrl } from './receivers.ts'
import { appIdOf, STOREFRONTS_SIMULATED } from './reviewers.ts'
import type { Scheduler } from './scheduler.ts'

/** The account that has more hooks than all others together. */
export const GREEDY_ACCOUNT = 'acc_greedy'

export type CustomersDeps = {
  readonly plan: Plan
  readonly ledger: Ledger
  readonly random: Random
  readonly scheduler: Scheduler
  /** A node that is ready for requests. */
  readonly anyNode: () => SimulatedNode | null
  readonly onFeedsChanged: () => void
}

/** Simulated customers, who create, pause, change and remove hooks and replay dead letters. */
export type Customers = {
  readonly subscribe: () => Promise<void>
  /** Creates all hooks of a greedy plan in one account. */
  readonly createGreedyHooks: () => Promise<void>
  readonly start: (untilMs: number) => void
}

export function createCustomers(deps: CustomersDeps): Customers {
  const { plan, ledger, random, scheduler, anyNode, onFeedsChanged } = deps
  let made = 0
  const nowOf = (node: SimulatedNode) => node.running()?.clock.now() ?? node.machine.now()
  const wake = (node: SimulatedNode) => node.running()?.flow.wake()
  const newSecret = () => `whsec_${Buffer.from(`secret ${made} ${random.below(1e9)}`).toString('base64')}`

  async function subscribe(): Promise<void> {
    const node = anyNode()
    if (node === null) return
    made += 1
    const accountId = `acc_${random.below(plan.accounts)}`
    const source = random.chance(0.2) ? 'zapier' : 'api'
    const id = `${source}-${made}`
    const host = random.below(plan.hosts)
    const secret = newSecret()
    const store = random.pick(STORES)
    const isReviews = random.chance(0.7)
    const minStars = 1 + random.below(3)
    const createdAt = nowOf(node)
    const wrongByMs = createdAt.getTime() - scheduler.nowMs()
    const watch: WithInstants<Watch> = {
      id: `wat_${made}`,
      hookId: id,
      accountId,
      setId: null,
      store,
      appId: appIdOf(store, random.below(plan.apps)),
      eventType: isReviews ? 'review.created' : 'rating.dropped',
      storefronts: [random.pick(STOREFRONTS_SIMULATED)],
      minStars: isReviews ? minStars : 1,
      maxStars: isReviews ? minStars + random.below(6 - minStars) : 5,
      deltaMicros: isReviews ? null : random.pick([10_000, 100_000, 300_000]),
      // With a window a watch finds every drop that it finds without.
      deltaWindowHours: isReviews || store === 'google' ? null : 24,
      thresholdMicros: null,
      rules: null,
      spike: null,
      createdAt,
    }
    const entry: HookEntry = {
      id,
      accountId,
      host,
      source,
      watch,
      notBeforeMs: scheduler.nowMs() + Math.min(0, wrongByMs - ledger.clock.aheadMs),
      createdAtMs: scheduler.nowMs(),
      guaranteedFromMs: createdAt.getTime(),
      lookBackMs: Math.max(0, -ledger.clock.aheadMs),
      uncertainMs: null,
      secrets: [secret],
      state: 'active',
      changedAtMs: scheduler.nowMs(),
      mustReceiveAll: false,
    }
    ledger.hooks.set(id, entry)
    await node.storage.hooks.create(
      {
        id,
        accountId,
        source,
        targetType: 'webhook',
        targetUrl: targetUrl(host, id),
        targetSettings: null,
        name: null,
        description: null,
        externalRef: null,
        status: 'active',
        secrets: [{ sealed: secret, expiresAt: null }],
        ratePerSecond: random.chance(0.15) ? random.pick([1, 5, 0.5]) : null,
        ...DEFAULT_HOOK_OPTIONS,
        cloudEvents: random.chance(0.1),
        messageSchedule: null,
        unsubscribed: [],
        createdAt,
      },
      [watch],
    )
    // A wrong clock stores a wrong creation time, which later jumps correct only in part.
    entry.mustReceiveAll = Math.abs(wrongByMs) < 5_000
    wake(node)
  }

  const anyHook = (state?: HookEntry['state']) => {
    const hooks = [...ledger.hooks.values()].filter((hook) => hook.state === (state ?? hook.state))
    return hooks.length === 0 ? null : random.pick(hooks)
  }

  async function remove(node: SimulatedNode): Promise<void> {
    const hook = anyHook()
    if (hook === null || hook.state === 'deleted') return
    hook.mustReceiveAll = false
    if (await node.storage.hooks.remove(hook.accountId, hook.id, nowOf(node))) {
      hook.state = 'deleted'
      hook.changedAtMs = scheduler.nowMs()
    }
    wake(node)
  }

  async function pauseOrResume(node: SimulatedNode): Promise<void> {
    const hook = anyHook(random.chance(0.5) ? 'paused' : 'active')
    if (hook === null) return
    const was = hook.mustReceiveAll
    const status = hook.state === 'paused' ? 'active' : 'paused'
    hook.mustReceiveAll = false
    const set = await node.storage.hooks.setStatus(hook.accountId, hook.id, status, nowOf(node))
    if (set === null) return
    hook.mustReceiveAll = was
    hook.state = status
    hook.changedAtMs = scheduler.nowMs()
    wake(node)
  }

  async function rotate(node: SimulatedNode): Promise<void> {
    const hook = anyHook('active')
    if (hook === null) return
    const secret = newSecret()
    hook.secrets = [secret, ...hook.secrets]
    await node.storage.hooks.update(hook.accountId, hook.id, {
      secrets: () => [{ sealed: secret, expiresAt: null }],
    })
  }

  async function replay(node: SimulatedNode): Promise<void> {
    const accountId = `acc_${random.below(plan.accounts)}`
    const dead = await node.storage.deadLetters.list(accountId, {}, { limit: 20, before: null })
    if (dead.length === 0) return
    for (const { eventId } of dead) ledger.requeued.add(eventId)
    const now = nowOf(node)
    if (random.chance(0.5)) {
      await node.storage.deadLetters.replay(
        accountId,
        dead.map(({ eventId }) => eventId),
        now,
        3_600_000,
      )
    } else {
      const id = `rpl_${made}_${random.below(1e9)}`
      for (const event of ledger.events.values()) ledger.requeued.add(event.eventId)
      await node.storage.deadLetters.createReplays([
        { id, accountId, filter: {}, ratePerSecond: 5, createdAt: now },
      ])
    }
    wake(node)
  }

  async function act(): Promise<void> {
    const chance = random.next()
    const node = anyNode()
    if (node === null) return
    if (chance < 0.35) return subscribe()
    if (chance < 0.5) return remove(node)
    if (chance < 0.75) return pauseOrResume(node)
    if (chance < 0.85) return rotate(node)
    return replay(node)
  }

  async function createGreedyHooks(): Promise<void> {
    const node = anyNode()
    if (node === null) return
    for (let extra = 0; extra < plan.greedyHooks; extra += 1) {
      const id = `api-greedy-${extra}`
      const createdAt = nowOf(node)
      const hook = {
        id,
        accountId: GREEDY_ACCOUNT,
        source: 'api',
        targetType: 'webhook' as const,
        targetSettings: null,
        name: null,
        description: null,
        externalRef: null,
        ratePerSecond: null,
        ...DEFAULT_HOOK_OPTIONS,
        messageSchedule: null,
        unsubscribed: [],
        createdAt,
      }
      await node.storage.hooks.create(
        {
          ...hook,
          targetUrl: targetUrl(0, id),
          status: 'active',
          secrets: [{ sealed: 'x', expiresAt: null }],
        },
        [
          {
            ...{
              id: `wat_greedy_${extra}`,
              hookId: id,
              accountId: GREEDY_ACCOUNT,
              createdAt,
              storefronts: ['us'] as const,
            },
            store: STORES[extra % 2] ?? 'apple',
            appId: appIdOf(STORES[extra % 2] ?? 'apple', plan.apps + extra),
            ...{ eventType: extra % 4 < 2 ? 'review.created' : 'rating.dropped', minStars: 1, maxStars: 5 },
            ...{
              deltaMicros: extra % 4 < 2 ? null : 10_000,
              deltaWindowHours: null,
              thresholdMicros: null,
              rules: null,
              spike: null,
              setId: null,
            },
          },
        ],
      )
    }
    wake(node)
  }

  return {
    subscribe,
    createGreedyHooks,
    start(untilMs) {
      const next = () => {
        const atMs = scheduler.nowMs() + random.between(5_000, 120_000)
        if (atMs >= untilMs) return
        scheduler.at(atMs, () => {
          // A customer who sees an error does not retry, so the result of the change is unknown.
          void act()
            .catch(() => {})
            .finally(onFeedsChanged)
          onFeedsChanged()
          next()
        })
      }
      next()
    },
  }
}
