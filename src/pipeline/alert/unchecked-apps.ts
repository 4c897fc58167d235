import type { AlertCondition } from '../../model/alert.ts'

/** After a start or a change of the connection, the first check takes seconds. */
const FIRST_CHECK_MS = 15 * 60_000

/**
 * Leaves out apps whose checks are overdue but did not fail, until this process has observed that for 15 minutes: after a stop of
 * the service all checks are overdue, and the first ones are under way.
 */
export function createUncheckedApps(): (
  conditions: readonly AlertCondition[],
  now: Date,
) => readonly AlertCondition[] {
  let observedSince = new Map<string, Date>()
  return (conditions, now) => {
    const observed = new Map<string, Date>()
    const kept = conditions.filter((each) => {
      if (each.kind !== 'connection.failing' || each.detail !== null) return true
      const key = JSON.stringify([each.accountId, each.store, each.appId])
      const since = observedSince.get(key) ?? now
      observed.set(key, since)
      return now.getTime() - since.getTime() >= FIRST_CHECK_MS
    })
    observedSince = observed
    return kept
  }
}
