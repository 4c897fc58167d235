import { type Arguments, type Command, UsageError } from '../command.ts'
import { readKeyFile } from '../key-file.ts'
import { remoteService } from '../remote/service.ts'
import { connectionText } from './store-connections.ts'

const STORES = ['apple', 'google'] as const

export const storeConnect: Command = {
  about:
    'Tests credentials for App Store Connect (apple) or the Google Play Developer API (google) and stores them encrypted in the service at RADAR_URL, with the token in RADAR_TOKEN. Prints the apps that they reach. Keys are read from files, so that they do not stay in the history of the shell.',
  options: {
    'key-file': { value: 'FILE', required: true, help: 'The .p8 file of Apple, or the JSON file of Google.' },
    'key-id': {
      value: 'ID',
      help: "Apple: the key's ten characters; by default those of a file AuthKey_ID.p8.",
    },
    'issuer-id': { value: 'UUID', help: 'Apple: the issuer of a team key; omit it for an individual key.' },
    app: { value: 'LIST', help: 'Google: the package names, e.g. com.example.app,com.example.other.' },
    'reports-bucket': {
      value: 'URI',
      help: 'Google: the bucket of the reports, e.g. gs://pubsite_prod_rev_0123.',
    },
    name: { value: 'NAME', help: 'Name of the connection.' },
  },
  positionals: ['apple|google'],
  hint: 'docs/how-to/connect-your-store.md shows where the stores have these files.',
  async run(io, args) {
    const body = await bodyOf(args)
    const { client, failed } = remoteService(io)
    const connection = await client.connectStore(body).catch((error: unknown) => {
      throw failed(error)
    })
    io.out(connectionText(connection))
    return 0
  },
}

async function bodyOf(args: Arguments): Promise<object> {
  const store = STORES.find((each) => each === args.positionals[0])
  if (store === undefined)
    throw new UsageError(`The store must be apple or google, not "${args.positionals[0]}".`)
  const { key, keyId } = await readKeyFile(args, args.option('key-file') ?? '')
  const name = args.option('name')
  if (store === 'apple') {
    if (keyId === undefined)
      throw new UsageError('--key-id is required: the name of the file does not contain it.')
    const issuerId = args.option('issuer-id') ?? null
    return { kind: 'appstoreconnect', name, issuer_id: issuerId, key_id: keyId, private_key: key }
  }
  const apps = args.option('app')
  if (apps === undefined) throw new UsageError('--app is required: Google has no list of apps.')
  return {
    kind: 'googleplay-developer',
    name,
    service_account: key,
    app_ids: apps.split(','),
    reports_bucket: args.option('reports-bucket') ?? null,
  }
}
