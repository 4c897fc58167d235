import type { Hook } from '../../model/hook.ts'
import { withUnconfirmed } from '../../model/hook-change.ts'
import { DEFAULT_HOOK_OPTIONS, givenOptions, type HookOptionsInput } from '../../model/hook-options.ts'
import { newHookId } from '../../model/ids.ts'
import type { WithInstants } from '../../runtime/instant.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import { openAnswer, sealAnswer } from '../idempotency.ts'
import type { AccountGuard } from '../limits.ts'
import { askNewRecipients, type ConsentDeps } from '../mail-consent.ts'
import { newWatch, type WatchInput } from '../watches/new-watch.ts'
import { newWatchSet, type WatchSetInput } from '../watches/new-watch-set.ts'
import { hookTexts } from './hook-texts.ts'
import { newRecipients } from './mail-recipients.ts'
import { ratePresetOf } from './rate-preset.ts'
import { newTarget, type TargetDeps, type TargetInput } from './target.ts'

export type NewHookDeps = TargetDeps &
  ConsentDeps & {
    readonly hooks: Pick<HookStorage, 'create'>
    readonly limits: Pick<AccountGuard, 'counts' | 'confirmations'>
    readonly newSecret: () => string
    /** Ends the wait of the loops: work may be due now. */
    readonly wake: () => void
  }

export type HookInput = TargetInput &
  HookOptionsInput & {
    /** The program or platform that creates the hook. */
    readonly source: string
    /** Trimmed; null when nothing is left. */
    readonly name?: string | null | undefined
    readonly description?: string | null | undefined
    readonly externalRef: string | null
    readonly watches: readonly WatchInput[]
    readonly watchSets?: readonly WatchSetInput[]
  }

/** Makes the call repeatable: within a day, the same key and request get the first answer. */
export type Idempotency = { readonly key: string; readonly request: object }

/** The only place with the secret in plain text. */
export type CreatedHook = { readonly id: string; readonly secret: string }

export async function createHook(
  deps: NewHookDeps,
  accountId: string,
  input: HookInput,
  idempotency: Idempotency | null,
): Promise<CreatedHook> {
  const createdAt = deps.clock.now()
  const id = newHookId(input.source)
  const secret = deps.newSecret()
  const target = newTarget(deps, id, input)
  const recipients = newRecipients(deps, null, { id, ...target, unsubscribed: [] })
  const unsubscribed = recipients.change ? withUnconfirmed([], recipients.change) : []
  const hook: WithInstants<Hook> = {
    id,
    accountId,
    source: input.source,
    // Unchanged, so that the caller finds its hook by it. The sender requests the canonical form.
    ...target,
    name: null,
    description: null,
    ...hookTexts(input),
    externalRef: input.externalRef,
    // Its deliveries are held until the first recipient confirms.
    status: unsubscribed.length > 0 ? 'paused' : 'active',
    secrets: [{ sealed: deps.sealer.seal(secret, id), expiresAt: null }],
    ratePerSecond: ratePresetOf(target),
    ...DEFAULT_HOOK_OPTIONS,
    ...givenOptions(input),
    messageSchedule: null,
    unsubscribed,
    createdAt,
  }
  const watches = input.watches.map((watch) => newWatch(watch, { accountId, hookId: id }, createdAt))
  const watchSets = (input.watchSets ?? []).map((set) =>
    newWatchSet(set, { accountId, hookId: id }, createdAt),
  )
  const created = { id, secret }
  const options = {
    limits: deps.limits.counts,
    watchSets,
    allow: () => deps.limits.confirmations(accountId, recipients.addresses),
  }
  if (idempotency === null) await deps.hooks.create(hook, watches, options)
  else {
    const call = { accountId, ...idempotency }
    const idempotencyKey = sealAnswer(call, created, deps.sealer, createdAt)
    const result = await deps.hooks.create(hook, watches, { ...options, idempotencyKey })
    if (result.kind === 'repeated') {
      if (result.requestSha256Hex !== idempotencyKey.requestSha256Hex) throw keyReused()
      return openAnswer(call, result.answer, deps.sealer) as CreatedHook
    }
  }
  askNewRecipients(deps, accountId, id, recipients.addresses)
  deps.wake()
  return created
}

function keyReused(): OperationError {
  return new OperationError(
    'key_reused',
    'This Idempotency-Key was used in the last 24 hours with another body. Use a new key for another hook.',
  )
}
