import type { Hook, Watch } from '../src/model/hook.ts'
import { newId } from '../src/model/ids.ts'
import type { Store } from '../src/model/vocabulary.ts'
import { newSecret } from '../src/pipeline/send/signature.ts'
import { createSealer } from '../src/runtime/seal.ts'
import type { Storage } from '../src/storage/port.ts'

/** The key of every service here, so that the secrets made here open there. */
const KEY = Buffer.alloc(32, 9)
export const SECRET_KEY = KEY.toString('base64')

const sealer = createSealer(KEY)

export type HookPlan = {
  readonly store: Store
  readonly appId: string
  readonly targetUrl: string
}

/** Stores one account with these hooks, each with one watch on new reviews in the United States; oldest first. */
export async function createHooks(
  storage: Storage,
  plans: readonly HookPlan[],
): Promise<{ id: string; accountId: string }[]> {
  const accountId = newId('acc')
  const createdAt = new Date()
  await storage.accounts.create({ id: accountId, name: 'Bench', createdAt })
  const hooks: { id: string; accountId: string }[] = []
  for (const { store, appId, targetUrl } of plans) {
    const id = `api-${newId('wat').slice('wat_'.length)}`
    const hook: Hook = {
      id,
      accountId,
      source: 'api',
      targetUrl,
      externalRef: null,
      status: 'active',
      secrets: [{ sealed: sealer.seal(newSecret(), id), expiresAt: null }],
      ratePerSecond: null,
      createdAt,
    }
    const watch: Watch = {
      id: newId('wat'),
      hookId: id,
      accountId,
      store,
      appId,
      eventType: 'review.created',
      storefront: 'us',
      minStars: 1,
      maxStars: 5,
      deltaMicros: null,
      thresholdMicros: null,
      rules: null,
      createdAt,
    }
    await storage.hooks.create(hook, [watch])
    hooks.push({ id, accountId })
  }
  return hooks
}
