import type { Client } from '../../client/client.ts'
import { createAppleKey } from '../../simulate/official/connect.ts'
import { SIMULATED_APPS } from '../../simulate/simulated-apps.ts'
import type { World } from '../../simulate/world.ts'

export type ConnectedApp = { readonly appId: string; readonly keyId: string }

/** Connects the App Store listing of the last app with a key of the simulated App Store Connect, which is polled every second. */
export async function connectApp(world: World, client: Client): Promise<ConnectedApp> {
  const appId = SIMULATED_APPS.at(-1)?.appIds.apple ?? ''
  // The real limit, 3,600 an hour, is one request a second.
  world.official.configure({ applePerHour: 1_000_000 })
  const key = createAppleKey(world, { appIds: [appId] })
  const { id } = await client.connectStore({
    kind: 'appstoreconnect',
    name: 'Own apps',
    issuer_id: key.issuerId,
    key_id: key.keyId,
    private_key: key.privateKey,
  })
  await client.call('PUT', `/store-connections/${id}/apps/${appId}`)
  return { appId, keyId: key.keyId }
}
