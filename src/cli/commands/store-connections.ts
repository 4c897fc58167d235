import type { StoreConnectionView } from '../../contract/v1/store-connections.ts'
import type { Command } from '../command.ts'
import { remoteService } from '../remote/service.ts'
import { excerpt, JSON_OPTION, jsonLine, shownAt, table } from '../table.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'

const SERVICE = 'It calls the service at RADAR_URL with the token in RADAR_TOKEN.'
export const CONNECTIONS_HINT = '"radar store list" shows the ids.'
const NAME_CHARS_MAX = 40

export const storeList: Command = {
  about: `Lists the store connections of the account and the apps that they can access, without keys. ${SERVICE}`,
  options: { json: JSON_OPTION },
  async run(io, args) {
    const { client, failed } = remoteService(io)
    const connections = await client.listStoreConnections().catch((error: unknown) => {
      throw failed(error)
    })
    if (args.isOn('json')) io.out(connections.map(jsonLine).join(''))
    else io.out(connections.map(connectionText).join('\n'))
    if (connections.length === 0) io.err('No store is connected. Connect one with "radar store connect".\n')
    return 0
  },
}

export const storeTest: Command = {
  about: `Tests the stored credentials of a connection and prints what they can access. The exit status is 1 when the store refuses them. ${SERVICE}`,
  options: { json: JSON_OPTION },
  positionals: ['ID'],
  hint: CONNECTIONS_HINT,
  async run(io, args) {
    const { client, failed } = remoteService(io)
    const connection = await client.testStoreConnection(args.positionals[0] ?? '').catch((error: unknown) => {
      throw failed(error)
    })
    io.out(args.isOn('json') ? jsonLine(connection) : connectionText(connection))
    return connection.problem === null ? 0 : 1
  },
}

export const storeRemove: Command = {
  about: `Deletes the stored credentials of a connection. Reviews that came from it are kept. ${SERVICE}`,
  options: { yes: YES_OPTION },
  positionals: ['ID'],
  hint: CONNECTIONS_HINT,
  async run(io, args) {
    const id = args.positionals[0] ?? ''
    if (
      !(await confirmed(
        io,
        args,
        `Remove ${id}? Its credentials are deleted, and reviews cannot be answered.`,
      ))
    )
      return 1
    const { client, failed } = remoteService(io)
    await client.removeStoreConnection(id).catch((error: unknown) => {
      throw failed(error)
    })
    io.out('Removed.\n')
    return 0
  },
}

function sourceText({
  countries,
  source,
  source_connection_id: id,
}: StoreConnectionView['apps'][number]): string {
  if (source !== null) return source.problem === null ? 'this connection' : 'failing'
  return countries.length === 0 ? '-' : (id ?? 'public pages')
}

/** A connection as lines. Names come from a store. */
export function connectionText({
  id,
  name,
  subject,
  checked_at: at,
  problem,
  warnings,
  apps,
}: StoreConnectionView): string {
  const tested = `tested ${shownAt(new Date(at))}`
  const lines = [
    `${id}  ${excerpt(name, NAME_CHARS_MAX)}  (${excerpt(subject, 100)})`,
    problem === null ? `ok, ${tested}` : `failed, ${tested}: ${excerpt(problem, 400)}`,
    ...warnings.map((warning) => `warning: ${excerpt(warning, 400)}`),
  ]
  const rows = apps.map((app) => [
    app.app_id,
    excerpt(app.name ?? '-', NAME_CHARS_MAX),
    app.countries.length === 0 ? 'not tracked' : `tracked in ${app.countries.join(', ')}`,
    sourceText(app),
  ])
  return `${lines.join('\n')}\n${table(['app', 'name', 'state', 'reviews from'], rows)}`
}
