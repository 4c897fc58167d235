import type { StoreConnectionView } from '../../contract/v1/store-connections.ts'
import type { Command } from '../command.ts'
import { remoteService } from '../remote/service.ts'
import { CONNECTIONS_HINT, connectionText } from './store-connections.ts'

const SERVICE = 'It calls the service at RADAR_URL with the token in RADAR_TOKEN.'
const USUAL_COUNTRIES = 'us'

export const storeUse: Command = {
  about: `Gets the reviews of an app from a connection instead of the public pages, from its first successful check on. Tracks the app first if the account does not. ${SERVICE}`,
  options: {
    country: {
      value: 'LIST',
      help: `Storefronts to track the app in, if it is not tracked yet, e.g. us,de; ${USUAL_COUNTRIES} by default.`,
    },
  },
  positionals: ['ID', 'APP-ID'],
  hint: CONNECTIONS_HINT,
  async run(io, args) {
    const [id = '', appId = ''] = args.positionals
    const { client, failed } = remoteService(io)
    const orFailed = (error: unknown) => {
      throw failed(error)
    }
    const path = connectionPath(id)
    const { store, apps } = await client.call<StoreConnectionView>('GET', path).catch(orFailed)
    const app = apps.find(({ app_id }) => app_id === appId)
    if (app?.countries.length === 0) {
      const body = { countries: (args.option('country') ?? USUAL_COUNTRIES).split(',') }
      await client
        .call('PUT', `/tracked-apps/${store}/${encodeURIComponent(appId)}`, { body })
        .catch(orFailed)
    }
    const used = await client.call<StoreConnectionView>('PUT', appPath(id, appId)).catch(orFailed)
    io.out(connectionText(used))
    return 0
  },
}

export const storeLeave: Command = {
  about: `Gets the reviews of an app from the public pages again. ${SERVICE}`,
  options: {},
  positionals: ['ID', 'APP-ID'],
  hint: CONNECTIONS_HINT,
  async run(io, args) {
    const [id = '', appId = ''] = args.positionals
    const { client, failed } = remoteService(io)
    const left = await client
      .call<StoreConnectionView>('DELETE', appPath(id, appId))
      .catch((error: unknown) => {
        throw failed(error)
      })
    io.out(connectionText(left))
    return 0
  },
}

function connectionPath(id: string): string {
  return `/store-connections/${encodeURIComponent(id)}`
}

function appPath(id: string, appId: string): string {
  return `${connectionPath(id)}/apps/${encodeURIComponent(appId)}`
}
