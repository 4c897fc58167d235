import { newId } from '../src/model/ids.ts'
import { newSecret } from '../src/model/signature.ts'
import type { FormattedTargetType } from '../src/model/target.ts'
import type { Store } from '../src/model/vocabulary.ts'
import { TARGETS } from '../src/pipeline/targets/index.ts'
import { instantOf } from '../src/runtime/instant.ts'
import { createSealer } from '../src/runtime/seal.ts'
import type { Storage } from '../src/storage/port/storage.ts'
import { hookFor } from '../test/support/hook-for.ts'

/** The key of all measured services, so that they can decrypt the secrets created here. */
const KEY = Buffer.alloc(32, 9)
export const SECRET_KEY = KEY.toString('base64')

const sealer = createSealer(KEY)

export type HookPlan = {
  readonly store: Store
  readonly appId: string
  readonly targetUrl: string
  /** A formatted destination at the pace of its service, instead of a webhook at `targetUrl`. */
  readonly formatted?: FormattedPlan
}

export type FormattedPlan = {
  readonly type: FormattedTargetType
  readonly settings: Readonly<Record<string, unknown>>
}

/** `hooksPerApp` hooks of each app, spread over the targets. With as many apps as targets, each app has its own target. */
export function spreadHooks(
  store: Store,
  appIds: readonly string[],
  hooksPerApp: number,
  targetUrls: readonly string[],
): HookPlan[] {
  return Array.from({ length: appIds.length * hooksPerApp }, (_, index) => ({
    store,
    appId: appIds[index % appIds.length] ?? '',
    targetUrl: targetUrls[index % targetUrls.length] ?? '',
  }))
}

/** Stores one account with these hooks, each with one watch on new reviews in the United States; oldest first. */
export async function createHooks(
  storage: Storage,
  plans: readonly HookPlan[],
): Promise<{ id: string; accountId: string }[]> {
  const accountId = newId('acc')
  const createdAt = instantOf(Date.now())
  await storage.accounts.create({ id: accountId, name: 'Bench', createdAt })
  const hooks: { id: string; accountId: string }[] = []
  for (const { store, appId, targetUrl, formatted } of plans) {
    const id = `api-${newId('wat').slice('wat_'.length)}`
    const secrets = [{ sealed: sealer.seal(newSecret(), id), expiresAt: null }]
    const { hook, watches } = hookFor(
      targetUrl,
      { store, appId, storefronts: ['us'] },
      { id, accountId, secrets, createdAt, ...(formatted && formattedHook(id, formatted)) },
    )
    await storage.hooks.create(hook, watches)
    hooks.push({ id, accountId })
  }
  return hooks
}

function formattedHook(id: string, { type, settings: given }: FormattedPlan) {
  const target = TARGETS[type]
  const settings = target.settings.parse(given)
  return {
    targetType: type,
    targetUrl: target.shownUrl(settings),
    targetSettings: sealer.seal(JSON.stringify(settings), id),
    ratePerSecond: target.ratePerSecond,
  }
}
