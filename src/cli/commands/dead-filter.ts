import { HTTP_STATUS } from '../../model/input-limits.ts'
import { DEAD_REASONS, EVENT_TYPES, FAILURE_REASONS, STORES } from '../../model/vocabulary.ts'
import type { DeadFilter, DeadLetterCount } from '../../operations/dead-letters/dead-letters.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Arguments, choiceOption, numberOption, type Option, UsageError } from '../command.ts'
import { INSTANT_HELP, instantOption } from '../instant.ts'

/** The options that select dead letters. */
export const DEAD_OPTIONS: Readonly<Record<string, Option>> = {
  account: { value: 'ID', help: 'Only dead letters of this account.' },
  hook: { value: 'ID', help: 'Only dead letters of this hook.' },
  store: { value: 'STORE', choices: STORES, help: 'Only dead letters of apple or google.' },
  app: { value: 'ID', help: 'Only dead letters of this app.' },
  type: { value: 'TYPE', choices: EVENT_TYPES, help: `Only events of this type: ${EVENT_TYPES.join(', ')}.` },
  reason: {
    value: 'REASON',
    choices: [...new Set([...FAILURE_REASONS, ...DEAD_REASONS])],
    help: 'Only dead letters with this last failure or dead-letter reason.',
  },
  'http-status': { value: 'N', help: 'Only dead letters whose last response had this status.' },
  since: { value: 'TIME', help: `Only events created since then: ${INSTANT_HELP}.` },
  until: { value: 'TIME', help: 'Only events created before then.' },
}

/** The hint about an unknown account or hook. */
export const SCOPE_HINT = '"radar hooks list" and "radar token list" show the ids in use.'

/** The selection; `accountId` null is all accounts. Throws `UsageError`. */
export function deadFilterOf(args: Arguments): {
  readonly accountId: string | null
  readonly filter: DeadFilter
} {
  const now = systemClock.now()
  const filter = {
    hookId: args.option('hook'),
    store: choiceOption(args, 'store', STORES),
    appId: args.option('app'),
    eventType: choiceOption(args, 'type', EVENT_TYPES),
    reason: args.option('reason'),
    httpStatus: numberOption(args, 'http-status', HTTP_STATUS.min, HTTP_STATUS.max),
    since: instantOption(args, 'since', now),
    until: instantOption(args, 'until', now),
  }
  return { accountId: args.option('account') ?? null, filter }
}

/**
 * Whether the command names its dead letters or selects them by options. Throws `UsageError` for both and for neither,
 * so that a command without arguments never selects every dead letter.
 */
export function selectionOf(args: Arguments): 'named' | 'selected' {
  const isAll = args.isOn('all')
  const filters = Object.keys(DEAD_OPTIONS).filter((name) => args.option(name) !== undefined)
  if (args.positionals.length > 0) {
    if (isAll || filters.some((name) => name !== 'account'))
      throw new UsageError('Name the events or select them by options, not both.')
    return 'named'
  }
  const [first] = filters
  if (isAll && first !== undefined)
    throw new UsageError(`--all selects every dead letter of every account: leave out --all or --${first}.`)
  if (!isAll && first === undefined)
    throw new UsageError('Name the events, select them by options such as --since, or use --all.')
  return 'selected'
}

/** `12 dead letters: 10 attempts_exhausted, 2 expired`. */
export function summaryOf({ count, byReason }: DeadLetterCount): string {
  const parts = byReason.map((each) => `${each.count} ${each.reason}`).join(', ')
  return `${lettersText(count)}${parts === '' ? '' : `: ${parts}`}`
}

/** `1 dead letter`, `2 dead letters`. */
export function lettersText(count: number): string {
  return `${count} dead letter${count === 1 ? '' : 's'}`
}
