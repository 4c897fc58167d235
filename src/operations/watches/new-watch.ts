import type { AppKey, Watch, WatchFilter } from '../../model/hook.ts'
import { APP_ID_CHARS_MAX } from '../../model/hook-limits.ts'
import { newId } from '../../model/ids.ts'
import { type FilterInput, filterProblems, watchFilterOf } from '../../model/watch-filter.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'
import { OperationError } from '../error.ts'

/** A watch as a caller describes it. */
export type WatchInput = FilterInput & AppKey

export type WatchPlace = { readonly accountId: string; readonly hookId: string }

/** Validates the input and returns the watch, which matches occurrences from `now` on. Throws `invalid`. */
export function newWatch(
  input: WatchInput,
  { accountId, hookId }: WatchPlace,
  now: Instant,
  id = newId('wat'),
): WithInstants<Watch> {
  return { id, hookId, accountId, setId: null, ...appOf(input), ...filterOf(input), createdAt: now }
}

/** Throws `invalid` for a field called `field`. */
export function appOf({ store, appId: text }: AppKey, field = 'appId'): AppKey {
  // A copied id often has surrounding spaces; ids of the stores never do.
  const appId = text.trim()
  if (!appId.isWellFormed() || appId.includes('\0')) {
    throw invalid(field, 'must be text without NUL and lone surrogates.')
  }
  if (appId === '') throw invalid(field, 'is required.')
  if ([...appId].length > APP_ID_CHARS_MAX)
    throw invalid(field, `must have at most ${APP_ID_CHARS_MAX} characters.`)
  return { store, appId }
}

/** Throws `invalid`. */
export function filterOf(input: FilterInput): WatchFilter {
  const [first] = filterProblems(input)
  if (first !== undefined) throw invalid(first.field, first.problem)
  return watchFilterOf(input)
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
