import type { ConnectionCheck } from '../../model/store-connection.ts'
import type {
  CredentialField,
  OfficialFailure,
  OfficialStore,
  StoreCredentials,
} from '../../pipeline/appstores/official.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { WithInstants } from '../../runtime/instant.ts'
import { OperationError } from '../error.ts'

export type CredentialTestDeps = {
  readonly officialStores: readonly OfficialStore[]
  readonly clock: Clock
}

export type CredentialTest =
  | { readonly kind: 'ok'; readonly check: WithInstants<ConnectionCheck> }
  | { readonly kind: 'failed'; readonly failure: OfficialFailure }

/** A person waits for the result. */
const TEST_MS_MAX = 30_000

/** Asks the store what the credentials can do. */
export async function testCredentials(
  { officialStores, clock }: CredentialTestDeps,
  credentials: StoreCredentials,
  appIds: readonly string[],
): Promise<CredentialTest> {
  const store = officialStores.find(({ kind }) => kind === credentials.kind)
  if (store === undefined) throw new Error(`There is no client for ${credentials.kind}.`)
  const context = { pace: async () => true, signal: AbortSignal.timeout(TEST_MS_MAX) }
  const answer = await store.check({ credentials, appIds }, context)
  if (answer.kind === 'failed') return { kind: 'failed', failure: answer }
  const unreachable = answer.unreachable.map(({ appId, failure }) => `${appId}: ${failure.detail}`)
  return {
    kind: 'ok',
    check: {
      at: clock.now(),
      apps: answer.apps.map(({ appId, name, bundleId }) => ({ appId, name, bundleId })),
      rights: answer.rights,
      warnings: [...answer.warnings, ...unreachable],
      problem: null,
    },
  }
}

const FIELDS: Readonly<Record<CredentialField, string>> = {
  issuer_id: 'issuerId',
  key_id: 'keyId',
  private_key: 'privateKey',
  service_account: 'serviceAccount',
  reports_bucket: 'reportsBucket',
  app_id: 'appIds',
}

/** Failures that say nothing about the credentials: the same test may succeed later. */
const TEMPORARY = new Set<OfficialFailure['reason']>([
  'rate_limited',
  'unavailable',
  'interrupted',
  'changed',
  'clock_skew',
])
const RETRY_AFTER_S = 60

/** The error for credentials that failed their test, so that nothing was stored. */
export function refusedCredentials({ reason, detail, field, retryAfterMs }: OfficialFailure): OperationError {
  if (TEMPORARY.has(reason)) {
    const retryAfterS = retryAfterMs === undefined ? RETRY_AFTER_S : Math.ceil(retryAfterMs / 1_000)
    return new OperationError('unavailable', `The credentials could not be tested. ${detail}`, {
      retryAfterS,
    })
  }
  if (field === undefined)
    return new OperationError('invalid', `The store refused the credentials. ${detail}`)
  return new OperationError('invalid', `was refused by the store. ${detail}`, { field: FIELDS[field] })
}
