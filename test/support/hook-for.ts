import type { Hook, Watch } from '../../src/model/hook.ts'
import { newSecret } from '../../src/model/signature.ts'
import { instantOf, type WithInstants } from '../../src/runtime/instant.ts'
import { hookOf, watchOf } from '../../src/storage/conformance/samples.ts'

export const APP = 'org.example.app'
export const SECRET = newSecret()

/** A hook with one watch for new reviews of `APP`, as subscribe creates it, with changes. */
export function hookFor(
  targetUrl: string,
  watch: Partial<WithInstants<Watch>> = {},
  hook: Partial<WithInstants<Hook>> = {},
): { readonly hook: WithInstants<Hook>; readonly watches: readonly [WithInstants<Watch>] } {
  const made = hookOf({
    id: `api-${Math.random().toString(16).slice(2)}`,
    accountId: 'acc_1',
    targetUrl,
    secrets: [{ sealed: SECRET, expiresAt: null }],
    createdAt: instantOf(Date.now()),
    ...hook,
  })
  return { hook: made, watches: [watchOf(made, { store: 'google', appId: APP, ...watch })] }
}
