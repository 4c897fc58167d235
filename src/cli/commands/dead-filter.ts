import { EVENT_TYPES, STORES } from '../../model/vocabulary.ts'
import type { withStorage } from '../../service/operate.ts'
import { type Arguments, type Option, UsageError } from '../command.ts'

type Storage = Parameters<Parameters<typeof withStorage>[1]>[0]
export type DeadFilter = Parameters<Storage['dead']['list']>[1]
export type DeadLetter = Awaited<ReturnType<Storage['dead']['list']>>[number]

/** How the commands for dead letters choose among them. */
export const DEAD_OPTIONS: Readonly<Record<string, Option>> = {
  account: { value: 'ID', help: 'Only those of this account.' },
  hook: { value: 'ID', help: 'Only those of this hook.' },
  store: { value: 'STORE', help: 'Only those of apple or google.' },
  app: { value: 'ID', help: 'Only those of this app.' },
  type: { value: 'TYPE', help: 'Only review.created or rating.dropped.' },
  reason: { value: 'REASON', help: 'Only those with this last failure or reason of death.' },
  since: { value: 'TIME', help: 'Only events made at or after this time (RFC 3339).' },
}

export function deadFilterOf(args: Arguments): {
  readonly accountId: string | null
  readonly filter: DeadFilter
} {
  const since = args.option('since')
  const sinceAt = since === undefined ? undefined : new Date(since)
  if (sinceAt !== undefined && Number.isNaN(sinceAt.getTime())) {
    throw new UsageError(`--since must be a time such as 2026-01-31T12:00:00Z, not "${since}".`)
  }
  return {
    accountId: args.option('account') ?? null,
    filter: {
      hookId: args.option('hook'),
      store: oneOf(args, 'store', STORES),
      appId: args.option('app'),
      eventType: oneOf(args, 'type', EVENT_TYPES),
      reason: args.option('reason'),
      since: sinceAt,
    },
  }
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

function oneOf(args: Arguments, name: string, allowed: readonly string[]): string | undefined {
  const value = args.option(name)
  if (value === undefined || allowed.includes(value)) return value
  throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not "${value}".`)
}
