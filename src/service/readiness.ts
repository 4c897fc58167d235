import type { Readiness } from '../api/routes/operator.ts'
import type { PartHealth } from '../runtime/supervisor.ts'
import type { UpkeepStorage } from '../storage/port/upkeep.ts'

/** Ready: storage answers and every loop of this node runs and does its work. */
export async function readinessOf(
  upkeep: Pick<UpkeepStorage, 'ping'>,
  parts: readonly PartHealth[],
  stopping: boolean,
): Promise<Readiness> {
  const reasons = parts
    .filter((part) => !part.ok)
    .map((part) => `${part.name}: ${part.detail ?? 'It does not run.'}`)
  if (stopping) reasons.push('The service is stopping.')
  else if (!(await upkeep.ping())) reasons.push('The database does not answer.')
  return { ready: reasons.length === 0, reasons }
}
