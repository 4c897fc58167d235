import { EVENT_TYPES, STORES } from '../../model/vocabulary.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { DeadFilter } from '../../service/bulk-replay.ts'
import type { withStorage } from '../../service/operate.ts'
import { type Arguments, CommandFailed, choiceOption, numberOption, type Option } from '../command.ts'
import { INSTANT_HELP, instantOption } from '../instant.ts'
import { requireAccount } from '../require-account.ts'

export type Storage = Parameters<Parameters<typeof withStorage>[1]>[0]
export type DeadLetter = Awaited<ReturnType<Storage['dead']['list']>>[number]

/** How the commands for dead letters choose among them. */
export const DEAD_OPTIONS: Readonly<Record<string, Option>> = {
  account: { value: 'ID', help: 'Only those of this account.' },
  hook: { value: 'ID', help: 'Only those of this hook.' },
  store: { value: 'STORE', help: 'Only those of apple or google.' },
  app: { value: 'ID', help: 'Only those of this app.' },
  type: { value: 'TYPE', help: 'Only review.created or rating.dropped.' },
  reason: { value: 'REASON', help: 'Only those with this last failure or reason of death.' },
  'http-status': { value: 'N', help: 'Only those last answered with this status.' },
  since: { value: 'TIME', help: `Only events made since then: ${INSTANT_HELP}.` },
  until: { value: 'TIME', help: 'Only events made before then.' },
}

/** What the options choose; null for the account is all of them. Throws `UsageError`. */
export function deadFilterOf(args: Arguments): {
  readonly accountId: string | null
  readonly filter: DeadFilter
} {
  const now = systemClock.now()
  const chosen = {
    hookId: args.option('hook'),
    store: choiceOption(args, 'store', STORES),
    appId: args.option('app'),
    eventType: choiceOption(args, 'type', EVENT_TYPES),
    reason: args.option('reason'),
    httpStatus: numberOption(args, 'http-status', 100, 999),
    since: instantOption(args, 'since', now),
    until: instantOption(args, 'until', now),
  }
  return {
    accountId: args.option('account') ?? null,
    // Absent rather than undefined: a stored job keeps it as JSON.
    filter: Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
  }
}

/** Whether anything but an account was asked for, so that a bare command never means every dead letter. */
export function chooses(args: Arguments): boolean {
  return Object.keys(DEAD_OPTIONS).some((name) => args.option(name) !== undefined)
}

/**
 * Throws `CommandFailed` for an account or a hook that is not there: a misspelt one must not look like one without dead
 * letters. A deleted hook is there as long as it has some.
 */
export async function requireChosen(
  storage: Storage,
  accountId: string | null,
  { hookId }: DeadFilter,
): Promise<void> {
  await requireAccount(storage, accountId)
  if (hookId === undefined || (await storage.dead.count(accountId, { hookId })) > 0) return
  const hooks = await (accountId === null ? storage.hooks.listAll() : storage.hooks.list(accountId))
  if (hooks.some((hook) => hook.id === hookId)) return
  throw new CommandFailed(
    `There is no hook ${hookId}${accountId === null ? '' : ` of the account ${accountId}`}, nor a deleted one with dead letters. "radar hooks list" shows those there are.`,
  )
}

/** All dead letters that match, newest first, read a page at a time. */
export async function* deadLetters(
  storage: Storage,
  accountId: string | null,
  filter: DeadFilter,
): AsyncGenerator<DeadLetter> {
  let before: number | null = null
  while (true) {
    const page = await storage.dead.list(accountId, filter, { limit: PAGE_ROWS, before })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ROWS) return
    before = last.seq
  }
}

const PAGE_ROWS = 500

/** `12 dead letters: 10 attempts_exhausted, 2 expired`. */
export async function deadSummary(
  storage: Storage,
  accountId: string | null,
  filter: DeadFilter,
): Promise<{ readonly count: number; readonly text: string }> {
  const reasons = await storage.dead.countByReason(accountId, filter)
  const count = reasons.reduce((sum, each) => sum + each.count, 0)
  const parts = reasons.map((each) => `${each.count} ${each.reason}`).join(', ')
  return { count, text: `${lettersText(count)}${parts === '' ? '' : `: ${parts}`}` }
}

/** `1 dead letter`, `2 dead letters`. */
export function lettersText(count: number): string {
  return `${count} dead letter${count === 1 ? '' : 's'}`
}
