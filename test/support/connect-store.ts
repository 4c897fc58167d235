import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { createAppleKey, createServiceAccount } from '../../src/simulate/official/connect.ts'
import type { AppleRole } from '../../src/simulate/official/official-world.ts'
import type { World } from '../../src/simulate/world.ts'
import type { Person } from './people.ts'

/** Connects the simulated store of an app with new credentials that reach only this app. Returns the id. */
export async function connectStore(
  { client }: Pick<Person, 'client'>,
  world: World,
  { store, appId }: { readonly store: Store; readonly appId: string },
  options: {
    readonly role?: AppleRole
    /** Google: the bucket of the reports that the account may read. */
    readonly bucket?: string
  } = {},
): Promise<string> {
  const { role, bucket } = options
  const body =
    store === 'apple'
      ? appleBody(createAppleKey(world, { appIds: [appId], ...(role === undefined ? {} : { role }) }))
      : {
          kind: 'googleplay-developer',
          service_account: JSON.stringify(
            createServiceAccount(world, { appIds: [appId], ...(bucket === undefined ? {} : { bucket }) }),
          ),
          app_ids: [appId],
          ...(bucket === undefined ? {} : { reports_bucket: bucket }),
        }
  return (await client.call<StoreConnectionView>('POST', '/store-connections', { body })).id
}

/** A world whose official APIs have no limits in the time of a test. */
export function withoutQuotas(world: World): void {
  world.official.configure({
    applePerHour: 1_000_000,
    applePerMinute: 1_000_000,
    googleReadsPerHour: 1_000_000,
  })
}

/** The body of a request that connects App Store Connect. */
export function appleBody(key: ReturnType<typeof createAppleKey>) {
  return {
    kind: 'appstoreconnect',
    issuer_id: key.issuerId,
    key_id: key.keyId,
    private_key: key.privateKey,
  } as const
}
