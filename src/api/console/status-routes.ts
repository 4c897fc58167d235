import type { StatusView, TroubleView } from '../../contract/console/status.ts'
import type { Readiness } from '../../contract/readiness.ts'
import type { DiskLevel } from '../../model/disk-space.ts'
import { type Trouble, worstFirst } from '../../model/trouble.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type StatusRouteDeps = {
  readonly operations: Pick<Operations, 'status'>
  /** The same as in `/readyz`. */
  readonly readiness: () => Promise<Readiness>
  readonly disk: { readonly state: () => { readonly level: DiskLevel } }
}

export function statusRoutes({ operations: { status }, readiness, disk }: StatusRouteDeps): Route[] {
  const ofInstallation = async () => {
    const [troubles, { reasons, warnings }] = await Promise.all([status.ofInstallation(), readiness()])
    return worstFirst([
      ...reasons.map((reason) => sentence('problem', reason)),
      ...warnings.map((warning) => sentence('note', warning)),
      ...troubles,
    ])
  }
  return [
    route({
      method: 'GET',
      path: '/status',
      async run({ caller: { accountId, operator } }): Promise<StatusView> {
        const [account, installation] = await Promise.all([
          status.ofAccount(accountId, !operator && disk.state().level === 'full'),
          operator ? ofInstallation() : null,
        ])
        return { account: account.map(presentTrouble), installation: installation?.map(presentTrouble) ?? null }
      },
    }),
  ]
}

/** It says by itself what to do. */
function sentence(grade: Trouble['grade'], what: string): Trouble {
  return { grade, key: what, what, since: null, effect: null, handling: null, action: null, page: '/system' }
}

function presentTrouble({ since, ...trouble }: Trouble): TroubleView {
  return { ...trouble, since: since?.toISOString() ?? null }
}
