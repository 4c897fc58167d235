import type { HookView } from '../../contract/hook.ts'
import { DEFAULT_SOURCE } from '../../contract/hook.ts'
import { limitMicros, starsOf } from '../../model/decimal.ts'
import type { Hook, HookWithWatches, Watch } from '../../model/hook.ts'
import { newHookId, newId } from '../../model/ids.ts'
import { openAnswer, sealAnswer } from '../../operations/idempotency.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { Refusal } from '../errors.ts'
import type { Operations } from '../operation.ts'

export type HookDeps = {
  readonly hooks: Pick<HookStorage, 'create' | 'get' | 'list' | 'remove'>
  readonly limits: Pick<AccountGuard, 'counts'>
  readonly clock: Clock
  readonly sealer: Sealer
  readonly newSecret: () => string
  /** Ends the poll loop's wait: the new hook's app is due now. */
  readonly wakePoll: () => void
}

export function hookOperations(
  deps: HookDeps,
): Pick<Operations, 'subscribe' | 'list_hooks' | 'get_hook' | 'unsubscribe'> {
  const { hooks, clock } = deps
  return {
    async subscribe({ accountId, body, idempotencyKey }) {
      const createdAt = clock.now()
      const source = body.source ?? DEFAULT_SOURCE
      const id = newHookId(source)
      const secret = deps.newSecret()
      const hook: Hook = {
        id,
        accountId,
        source,
        // As given, so that the caller finds its hook again by it; the sender requests the canonical form.
        targetUrl: body.target_url,
        externalRef: body.external_ref ?? null,
        status: 'active',
        secrets: [{ sealed: deps.sealer.seal(secret, id), expiresAt: null }],
        ratePerSecond: null,
        createdAt,
      }
      const watch: Watch = {
        id: newId('wat'),
        hookId: id,
        accountId,
        store: body.store,
        // A copied id often brings a space along, and no store has ids with spaces around them.
        appId: body.app_id.trim(),
        eventType: body.event_type,
        storefront: body.country ?? null,
        minStars: body.min_stars ?? 1,
        maxStars: body.max_stars ?? 5,
        deltaMicros: microsOf(body.delta),
        thresholdMicros: microsOf(body.threshold),
        rules: null,
        createdAt,
      }
      const answer = {
        id,
        secret,
        store: watch.store,
        app_id: watch.appId,
        country: watch.storefront ?? 'us',
        event_type: watch.eventType,
      }
      const limits = deps.limits.counts
      if (idempotencyKey === null) await hooks.create(hook, [watch], { limits })
      else {
        const call = { accountId, key: idempotencyKey, request: body }
        const once = sealAnswer(call, answer, deps.sealer, createdAt)
        const created = await hooks.create(hook, [watch], { limits, once })
        if (created.kind === 'repeated') {
          if (created.requestSha256Hex !== once.requestSha256Hex) throw keyUsedOtherwise()
          return openAnswer(call, created.answer, deps.sealer) as typeof answer
        }
      }
      deps.wakePoll()
      return answer
    },

    async list_hooks({ accountId }) {
      return (await hooks.list(accountId)).map(presentHook)
    },

    async get_hook({ accountId, id }) {
      const hook = await hooks.get(accountId, id)
      if (hook === null) throw noSuchHook()
      return presentHook(hook)
    },

    async unsubscribe({ accountId, id }) {
      if (!(await hooks.remove(accountId, id, clock.now()))) throw noSuchHook()
      return undefined
    },
  }
}

/** The same for a hook of another account, so that nobody learns which ids exist. */
export function noSuchHook(): Refusal {
  return new Refusal('not_found', 'The account has no hook with this id.')
}

function keyUsedOtherwise(): Refusal {
  return new Refusal(
    'unprocessable',
    'This Idempotency-Key was used in the last 24 hours with another body. Use a new key for another hook.',
  )
}

function microsOf(stars: number | null | undefined): number | null {
  return stars == null ? null : limitMicros(stars)
}

function presentHook(hook: HookWithWatches): HookView {
  const watches = hook.watches.map(presentWatch)
  return {
    id: hook.id,
    source: hook.source,
    target_url: hook.targetUrl,
    external_ref: hook.externalRef,
    status: hook.status,
    created_at: hook.createdAt.toISOString(),
    ...(watches[0] ?? NO_WATCH),
    watches,
  }
}

const NO_WATCH = {
  store: null,
  app_id: null,
  event_type: null,
  country: null,
  min_stars: null,
  max_stars: null,
  delta: null,
  threshold: null,
}

function presentWatch(watch: Watch): HookView['watches'][number] {
  return {
    store: watch.store,
    app_id: watch.appId,
    event_type: watch.eventType,
    country: watch.storefront,
    min_stars: watch.minStars,
    max_stars: watch.maxStars,
    delta: watch.deltaMicros === null ? null : starsOf(watch.deltaMicros),
    threshold: watch.thresholdMicros === null ? null : starsOf(watch.thresholdMicros),
  }
}
