import type { Store } from '../../src/model/vocabulary.ts'
import type { World } from '../../src/simulate/world.ts'
import type { Plan, PlannedFault } from './plan.ts'
import type { Behaviour } from './receivers.ts'
import { appIdOf } from './reviewers.ts'
import type { Scheduler } from './scheduler.ts'
import type { StorageFault } from './storage-faults.ts'
import type { ConnectionFault } from './stores.ts'
import type { Trace } from './trace.ts'

/** The active faults, by the part that they affect. */
export type ActiveFaults = {
  readonly storageOf: (node: number) => { readonly fault: StorageFault; readonly untilMs: number }[]
  readonly connectionTo: (store: Store) => ConnectionFault | null
  readonly behaviourOf: (host: number) => Behaviour
  /** The share of calls during which the database file is locked. */
  readonly lockShare: () => number
  readonly enricher: () => 'hang' | 'throw' | 'nothing' | null
}

/** Schedules every fault of the plan. `onNodeFault` handles deaths and clock faults. */
export function scheduleFaults(deps: {
  readonly plan: Plan
  readonly world: World
  /** The world of the official APIs; null without connected stores. */
  readonly officialWorld: World | null
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly onNodeFault: (fault: PlannedFault & { kind: 'death' | 'clock' }) => void
}): ActiveFaults {
  const { plan, scheduler, trace } = deps
  const worlds = [deps.world, deps.officialWorld].filter((world) => world !== null)
  const startMs = scheduler.nowMs()
  const on = new Set<PlannedFault>()
  for (const fault of plan.faults) {
    scheduler.at(startMs + fault.fromMs, () => {
      trace.note(`fault ${fault.id} ${describe(fault)}`)
      if (fault.kind === 'death' || fault.kind === 'clock') return deps.onNodeFault(fault)
      on.add(fault)
      const clears = fault.kind === 'store' ? worlds.map((world) => setWorldFault(world, fault)) : []
      scheduler.at(startMs + fault.untilMs, () => {
        trace.note(`fault ${fault.id} ends`)
        on.delete(fault)
        for (const clear of clears) clear()
      })
    })
  }
  const all = <Kind extends PlannedFault['kind']>(kind: Kind) =>
    [...on].filter((fault): fault is Extract<PlannedFault, { kind: Kind }> => fault.kind === kind)
  return {
    storageOf: (node) =>
      on.size === 0
        ? []
        : all('storage')
            .filter((fault) => fault.node === null || fault.node === node)
            .map(({ fault, untilMs }) => ({ fault, untilMs: startMs + untilMs })),
    connectionTo: (store) =>
      all('store_connection').findLast((fault) => fault.store === store)?.fault ?? null,
    behaviourOf: (host) =>
      all('receiver').findLast((fault) => fault.host === host)?.behaviour ?? { kind: 'accept' },
    lockShare: () => (on.size === 0 ? 0 : (all('lock').at(-1)?.share ?? 0)),
    enricher: () => all('enricher').at(-1)?.does ?? null,
  }
}

/** For traces and reports. */
export function describe({ id: _, ...fault }: PlannedFault): string {
  return JSON.stringify(fault, (_key, value) =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value,
  )
}

function setWorldFault(
  world: World,
  { store, source, app, fault }: Extract<PlannedFault, { kind: 'store' }>,
) {
  return world.setFault(
    {
      store,
      ...(source === null ? {} : { source }),
      ...(app === null ? {} : { appId: appIdOf(store, app) }),
    },
    fault,
  )
}
