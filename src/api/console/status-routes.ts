import type { IncidentView, StatusView } from '../../contract/console/status.ts'
import type { Readiness } from '../../contract/readiness.ts'
import type { DiskLevel } from '../../model/disk-space.ts'
import { type Incident, worstFirst } from '../../model/incident.ts'
import { note, problem } from '../../operations/diagnosis/finding.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

const SYSTEM = { page: '/system' }

export type StatusRouteDeps = {
  readonly operations: Pick<Operations, 'status'>
  /** As in `/readyz`, but without the clock of this node, which the checks of all nodes report. */
  readonly readinessExceptClock: () => Promise<Readiness>
  readonly disk: { readonly state: () => { readonly level: DiskLevel } }
}

export function statusRoutes({
  operations: { status },
  readinessExceptClock,
  disk,
}: StatusRouteDeps): Route[] {
  const ofInstallation = async () => {
    const [incidents, { reasons, warnings }] = await Promise.all([
      status.ofInstallation(),
      readinessExceptClock(),
    ])
    return worstFirst([
      ...reasons.map((reason) => problem(keyOf(reason), reason, SYSTEM)),
      ...warnings.map((warning) => note(keyOf(warning), warning, SYSTEM)),
      ...incidents,
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
        return {
          account: account.map(presentIncident),
          installation: installation?.map(presentIncident) ?? null,
        }
      },
    }),
  ]
}

/** The sentence without its figures, which change while the cause lasts. */
function keyOf(sentence: string): string {
  return `readiness ${sentence.replaceAll(/[\d.,:]+/g, '')}`
}

function presentIncident({ since, ...incident }: Incident): IncidentView {
  return { ...incident, since: since?.toISOString() ?? null }
}
