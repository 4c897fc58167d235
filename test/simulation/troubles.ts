import type { Store } from '../../src/model/vocabulary.ts'
import type { World } from '../../src/simulate/world.ts'
import { appIdOf } from './life.ts'
import type { Plan, PlannedFault } from './plan.ts'
import type { Behaviour } from './receivers.ts'
import type { Scheduler } from './scheduler.ts'
import type { StorageTrouble } from './storage-faults.ts'
import type { StoreTrouble } from './stores.ts'
import type { Trace } from './trace.ts'

/** The faults that are on now, by where they show. */
export type Troubles = {
  readonly storageOf: (node: number) => { readonly trouble: StorageTrouble; readonly untilMs: number }[]
  readonly wayTo: (store: Store) => StoreTrouble | null
  readonly behaviourOf: (host: number) => Behaviour
  /** The share of calls that meet a lock on the database file. */
  readonly lockShare: () => number
  readonly enricher: () => 'hang' | 'throw' | 'nothing' | null
}

/** Plans every fault of the schedule. Deaths and clocks are for `onNodeFault`. */
export function scheduleFailures(deps: {
  readonly plan: Plan
  readonly world: World
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly onNodeFault: (fault: PlannedFault & { kind: 'death' | 'clock' }) => void
}): Troubles {
  const { plan, world, scheduler, trace } = deps
  const startMs = scheduler.nowMs()
  const on = new Set<PlannedFault>()
  for (const fault of plan.faults) {
    scheduler.at(startMs + fault.fromMs, () => {
      trace.note(`fault ${fault.id} ${describe(fault)}`)
      if (fault.kind === 'death' || fault.kind === 'clock') return deps.onNodeFault(fault)
      on.add(fault)
      const clear = fault.kind === 'store' ? setWorldFault(world, fault) : () => {}
      scheduler.at(startMs + fault.untilMs, () => {
        trace.note(`fault ${fault.id} ends`)
        on.delete(fault)
        clear()
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
            .map(({ trouble, untilMs }) => ({ trouble, untilMs: startMs + untilMs })),
    wayTo: (store) => all('way_to_store').findLast((fault) => fault.store === store)?.trouble ?? null,
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
