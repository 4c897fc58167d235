import type { StoreConnectionView } from '../../contract/v1/store-connections.ts'
import type { Store } from '../../model/vocabulary.ts'
import { type Arguments, type Command, UsageError } from '../command.ts'
import { readKeyFile } from '../key-file.ts'
import { remoteService } from '../remote/service.ts'
import { CONNECTIONS_HINT, connectionText } from './store-connections.ts'

const STORES = ['apple', 'google'] as const

const CREDENTIAL_OPTIONS = {
  'key-file': { value: 'FILE', required: true, help: 'The .p8 file of Apple, or the JSON file of Google.' },
  'key-id': {
    value: 'ID',
    help: 'Apple: the key id of ten characters; by default taken from the file name AuthKey_ID.p8.',
  },
  'issuer-id': { value: 'UUID', help: 'Apple: the issuer id of a team key; omit it for an individual key.' },
  app: { value: 'LIST', help: 'Google: the package names, e.g. com.example.app,com.example.other.' },
  'reports-bucket': {
    value: 'URI',
    help: 'Google: the bucket of the reports, e.g. gs://pubsite_prod_rev_0123.',
  },
} as const

export const storeConnect: Command = {
  about:
    'Tests credentials for App Store Connect (apple) or the Google Play Developer API (google) and stores them encrypted in the service at RADAR_URL, with the token in RADAR_TOKEN. Prints the apps that they can access. Keys are read from files, so that they are not in the shell history.',
  options: {
    ...CREDENTIAL_OPTIONS,
    name: { value: 'NAME', help: 'Name of the connection.' },
  },
  positionals: ['apple|google'],
  hint: 'docs/how-to/connect-your-store.md shows where the stores have these files.',
  async run(io, args) {
    const store = STORES.find((each) => each === args.positionals[0])
    if (store === undefined) {
      throw new UsageError(`The store must be apple or google, not "${args.positionals[0]}".`)
    }
    const credentials = await credentialsOf(args, store)
    if (store === 'google' && args.option('app') === undefined) {
      throw new UsageError('--app is required: Google has no list of apps.')
    }
    const { client, failed } = remoteService(io)
    const body = { ...credentials, name: args.option('name') }
    const connection = await client.connectStore(body).catch((error: unknown) => {
      throw failed(error)
    })
    io.out(connectionText(connection))
    return 0
  },
}

export const storeReplaceKey: Command = {
  about:
    'Tests a new key of the same store, then replaces the key of a connection and deletes the old key. Google: without --app and --reports-bucket the package names and the bucket do not change. It calls the service at RADAR_URL with the token in RADAR_TOKEN.',
  options: CREDENTIAL_OPTIONS,
  positionals: ['ID'],
  hint: CONNECTIONS_HINT,
  async run(io, args) {
    const id = args.positionals[0] ?? ''
    const { client, failed } = remoteService(io)
    const path = `/store-connections/${encodeURIComponent(id)}`
    const orFailed = (error: unknown) => {
      throw failed(error)
    }
    const { store } = await client.call<StoreConnectionView>('GET', path).catch(orFailed)
    const body = await credentialsOf(args, store)
    io.out(
      connectionText(
        await client.call<StoreConnectionView>('PUT', `${path}/credentials`, { body }).catch(orFailed),
      ),
    )
    return 0
  },
}

/** The credentials as the API takes them. Omitted options of Google are absent. */
async function credentialsOf(args: Arguments, store: Store): Promise<object> {
  const { key, keyId } = await readKeyFile(args, args.option('key-file') ?? '')
  if (store === 'apple') {
    if (keyId === undefined)
      throw new UsageError('--key-id is required: the name of the file does not contain it.')
    const issuerId = args.option('issuer-id') ?? null
    return { kind: 'appstoreconnect', issuer_id: issuerId, key_id: keyId, private_key: key }
  }
  return {
    kind: 'googleplay-developer',
    service_account: key,
    app_ids: args.option('app')?.split(','),
    reports_bucket: args.option('reports-bucket'),
  }
}
