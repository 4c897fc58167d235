import type { Hook, Watch } from '../../src/model/hook.ts'
import { newSecret } from '../../src/pipeline/send/signature.ts'

export const APP = 'org.example.app'
export const SECRET = newSecret()

/** A hook and its one watch on new reviews of `APP`, as subscribe makes them, changed by what is given. */
export function hookFor(
  targetUrl: string,
  watch: Partial<Watch> = {},
  hook: Partial<Hook> = {},
): { readonly hook: Hook; readonly watches: readonly [Watch] } {
  const createdAt = hook.createdAt ?? new Date()
  const accountId = hook.accountId ?? 'acc_1'
  const id = hook.id ?? `api-${Math.random().toString(16).slice(2)}`
  return {
    hook: {
      id,
      accountId,
      source: 'api',
      targetUrl,
      externalRef: null,
      status: 'active',
      secrets: [{ sealed: SECRET, expiresAt: null }],
      ratePerSecond: null,
      createdAt,
      ...hook,
    },
    watches: [
      {
        id: `wat_${id}`,
        hookId: id,
        accountId,
        store: 'google',
        appId: APP,
        eventType: 'review.created',
        storefront: null,
        minStars: 1,
        maxStars: 5,
        deltaMicros: null,
        thresholdMicros: null,
        rules: null,
        createdAt,
        ...watch,
      },
    ],
  }
}
