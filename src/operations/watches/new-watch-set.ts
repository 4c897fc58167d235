import { type AppKey, uniqueApps, type WatchSet } from '../../model/hook.ts'
import { SET_APPS_MAX } from '../../model/hook-limits.ts'
import { newId } from '../../model/ids.ts'
import type { FilterInput } from '../../model/watch-filter.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'
import { OperationError } from '../error.ts'
import { appOf, filterOf, type WatchPlace } from './new-watch.ts'

/** A watch set as a caller describes it. */
export type WatchSetInput = FilterInput & {
  /** Null for all apps of the account, also those that are added later. */
  readonly apps: readonly AppKey[] | null
}

/** Validates the input and returns the set, which matches occurrences from `now` on. Throws `invalid`. */
export function newWatchSet(
  input: WatchSetInput,
  { accountId, hookId }: WatchPlace,
  now: Instant,
  id = newId('set'),
): WithInstants<WatchSet> {
  const apps = input.apps === null ? null : chosenApps(input.apps)
  return { id, hookId, accountId, apps, ...filterOf(input), createdAt: now }
}

function chosenApps(apps: readonly AppKey[]): AppKey[] {
  const unique = uniqueApps(apps.map((app) => appOf(app, 'apps')))
  if (unique.length === 0) throw invalid('must name at least one app.')
  if (unique.length > SET_APPS_MAX) throw invalid(`must name at most ${SET_APPS_MAX} apps; or all apps.`)
  return unique
}

function invalid(problem: string): OperationError {
  return new OperationError('invalid', problem, { field: 'apps' })
}
