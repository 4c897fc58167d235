import type { Client } from '../../client/client.ts'
import { HOOK_OPTION_FIELDS } from '../../contract/hook.ts'
import type { Change, HookCreation } from './plan.ts'
import type { SecretOutput } from './secrets.ts'

type Service = Pick<Client, 'call' | 'subscribe' | 'changeHook' | 'unsubscribe'>

/**
 * Makes one change. Rejects like the client. If the settings of a new hook could not be set, the next run sets them.
 */
export async function execute(client: Service, change: Change, secrets: SecretOutput): Promise<void> {
  switch (change.kind) {
    case 'track app': {
      const { store, app_id: appId, countries } = change.wanted
      const path = `/tracked-apps/${store}/${encodeURIComponent(appId)}`
      if (countries.length === 0) await client.call('DELETE', path)
      else await client.call('PUT', path, { body: { countries } })
      return
    }
    case 'remove hook':
      return client.unsubscribe(change.hook.id)
    case 'change hook':
      await client.changeHook(change.id, change.change)
      return
    case 'create hook':
      return createHook(client, change, secrets)
  }
}

async function createHook(client: Service, { wanted }: HookCreation, secrets: SecretOutput): Promise<void> {
  const { external_ref, target_type, target_url, target_settings, watches } = wanted
  const { name, description, rate_per_second, message_schedule } = wanted
  const [first] = watches
  if (first === undefined) throw new Error('a hook of the file has a watch')
  const { id, secret } = await client.subscribe({
    ...first,
    target_type,
    target_url,
    target_settings,
    external_ref,
    ...Object.fromEntries(HOOK_OPTION_FIELDS.map((field) => [field, wanted[field]])),
  })
  const hasMore =
    [name, description, rate_per_second, message_schedule].some((value) => value !== undefined) ||
    watches.length > 1
  try {
    // Messages of other types are not signed.
    if ((target_type ?? 'webhook') === 'webhook') await secrets.write({ external_ref, id, secret })
    if (hasMore)
      await client.changeHook(id, { name, description, rate_per_second, message_schedule, watches })
  } catch (error) {
    // It would lack its secret or a part of its settings. The next run creates it again.
    await client.unsubscribe(id)
    throw error
  }
}
