import {
  DEFAULT_SOURCE,
  HOOK_OPTION_FIELDS,
  HOOK_OPTION_OF_FIELD,
  type HookDetail,
  type HookView,
  type SubscribeBody,
  type WatchBody,
  type WatchDetail,
} from '../../contract/hook.ts'
import type { Routes } from '../../contract/routes.ts'
import { filterInputOf, storefrontsOf } from '../../contract/watch-rules.ts'
import type { HookWithWatches, Watch } from '../../model/hook.ts'
import type { HookOptions, HookOptionsInput } from '../../model/hook-options.ts'
import { maskedAddress } from '../../operations/hooks/mail-recipients.ts'
import type { HookInput } from '../../operations/hooks/new-hook.ts'
import { scheduleInputOf, scheduleRecord } from '../../operations/hooks/schedule-record.ts'
import type { TargetInput } from '../../operations/hooks/target.ts'
import { filterDetailRecord, watchRecord } from '../../operations/hooks/watch-record.ts'
import type { Operations } from '../../operations/operations.ts'
import type { WatchInput } from '../../operations/watches/new-watch.ts'
import { changerOf, type Route } from '../route.ts'
import { presentTest } from './attempt-view.ts'
import { apiRoute } from './route.ts'

export type HookRouteDeps = { readonly operations: Pick<Operations, 'hooks'> }

export function hookRoutes(table: Routes, { operations: { hooks } }: HookRouteDeps) {
  const detailOf = (hook: HookWithWatches) => presentHookDetail(hook, hooks)

  return {
    subscribe: apiRoute(table.subscribe, async ({ caller, body, idempotencyKey }) => {
      const idempotency = idempotencyKey === null ? undefined : { key: idempotencyKey, request: body }
      const { id, secret } = await hooks.create(caller.accountId, inputOf(body), idempotency)
      return {
        id,
        secret,
        store: body.store,
        app_id: body.app_id.trim(),
        country: storefrontsOf(body)?.[0] ?? 'us',
        event_type: body.event_type,
      }
    }),

    list_hooks: apiRoute(table.list_hooks, async ({ caller }) =>
      (await hooks.list(caller.accountId)).map(presentHook),
    ),

    get_hook: apiRoute(table.get_hook, async ({ caller, param }) =>
      detailOf(await hooks.get(caller.accountId, param('id'))),
    ),

    change_hook: apiRoute(table.change_hook, async ({ caller, param, body }) => {
      const { rate_per_second: ratePerSecond, watches, name, description } = body
      const change = {
        ...targetInputOf(body),
        ratePerSecond,
        ...optionInputOf(body),
        messageSchedule: scheduleInputOf(body.message_schedule),
        name,
        description,
        watches: watches?.map(watchInputOf),
      }
      return detailOf(await hooks.change(caller.accountId, param('id'), change, changerOf(caller)))
    }),

    unsubscribe: apiRoute(table.unsubscribe, async ({ caller, param }) => {
      await hooks.remove(caller.accountId, param('id'))
      return undefined
    }),

    test_hook: apiRoute(table.test_hook, async ({ caller, param, query }) =>
      presentTest(await hooks.sendTest(caller.accountId, param('id'), query.event_type ?? null), caller),
    ),
  } as const satisfies Record<string, Route>
}

function inputOf(body: SubscribeBody): HookInput {
  return {
    source: body.source ?? DEFAULT_SOURCE,
    ...targetInputOf(body),
    externalRef: body.external_ref ?? null,
    ...optionInputOf(body),
    watches: [watchInputOf(body)],
  }
}

export function targetInputOf(
  body: Pick<SubscribeBody, 'target_type' | 'target_url' | 'target_settings'>,
): TargetInput {
  return {
    targetType: body.target_type,
    targetUrl: body.target_url,
    targetSettings: body.target_settings,
  }
}

export function optionInputOf(
  body: Partial<Pick<SubscribeBody, (typeof HOOK_OPTION_FIELDS)[number]>>,
): HookOptionsInput {
  return Object.fromEntries(HOOK_OPTION_FIELDS.map((field) => [HOOK_OPTION_OF_FIELD[field], body[field]]))
}

function optionRecord(hook: HookOptions): Pick<HookDetail, (typeof HOOK_OPTION_FIELDS)[number]> {
  const entries = HOOK_OPTION_FIELDS.map((field) => [field, hook[HOOK_OPTION_OF_FIELD[field]]])
  return Object.fromEntries(entries) as ReturnType<typeof optionRecord>
}

export function watchInputOf(body: WatchBody): WatchInput {
  return { store: body.store, appId: body.app_id, ...filterInputOf(body) }
}

function presentHook(hook: HookWithWatches): HookView {
  const watches = hook.watches.map(watchRecord)
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

export function presentHookDetail(hook: HookWithWatches, hooks: Operations['hooks']): HookDetail {
  return {
    ...presentHook(hook),
    name: hook.name,
    description: hook.description,
    rate_per_second: hook.ratePerSecond,
    target_type: hook.targetType,
    message_schedule: scheduleRecord(hook.messageSchedule),
    target_fingerprint: hooks.shownSettings(hook)?.fingerprint ?? null,
    paused_reason: hooks.pausedReason(hook),
    unsubscribed_recipients: hooks.recipients(hook).flatMap(({ address, unsubscribedAt: at }) => {
      return at === null ? [] : [{ address: maskedAddress(address), at: at.toISOString() }]
    }),
    unconfirmed_recipients: hooks.recipients(hook).flatMap(({ address, unconfirmedSince: since }) => {
      return since === null ? [] : [{ address: maskedAddress(address), since: since.toISOString() }]
    }),
    ...optionRecord(hook),
    watches: hook.watches.map(presentWatch),
  }
}

export function presentWatch(watch: Watch): WatchDetail {
  return {
    id: watch.id,
    ...watchRecord(watch),
    ...filterDetailRecord(watch),
    watch_set_id: watch.setId,
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
