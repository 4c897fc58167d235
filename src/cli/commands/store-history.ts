import type { StoreConnectionView } from '../../contract/v1/store-connections.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Command, CommandFailed } from '../command.ts'
import { remoteService } from '../remote/service.ts'
import { stopSignals } from '../stop-signal.ts'
import { excerpt, JSON_OPTION, jsonLine } from '../table.ts'

const REFRESH_MS = 2_000

export const storeHistory: Command = {
  about:
    'Imports all reviews of an app that a connected store has, in the background of the service and without events, and prints the progress until it ends. Ctrl-C ends only the command; --stop ends the import. A stopped or failed import continues where it was. It calls the service at RADAR_URL with the token in RADAR_TOKEN.',
  options: {
    stop: { help: 'Stop the import. Reviews that it has read are kept.' },
    'no-wait': { help: 'Do not wait for the end.' },
    json: JSON_OPTION,
  },
  positionals: ['ID', 'APP-ID'],
  hint: '"radar store list" shows the ids.',
  async run(io, args) {
    const [id = '', appId = ''] = args.positionals
    const { client, failed } = remoteService(io)
    const historyIn = (connection: StoreConnectionView) => {
      const history = connection.apps.find((app) => app.app_id === appId)?.history ?? null
      if (history === null) throw new CommandFailed(`The history of ${appId} was never imported.`)
      return history
    }
    const request = args.isOn('stop') ? client.stopStoreHistory : client.importStoreHistory
    let history = historyIn(
      await request(id, appId).catch((error: unknown) => {
        throw failed(error)
      }),
    )
    const print = () => io.out(args.isOn('json') ? jsonLine({ app_id: appId, ...history }) : lineOf(history))
    print()
    if (args.isOn('no-wait') || args.isOn('stop')) return 0
    using signals = stopSignals()
    const stop = new AbortController()
    void signals.first.then(() => stop.abort())
    while (history.state === 'running') {
      await systemClock.sleep(REFRESH_MS, stop.signal)
      if (stop.signal.aborted) return 0
      const connections = await client.listStoreConnections().catch((error: unknown) => {
        throw failed(error)
      })
      const connection = connections.find((each) => each.id === id)
      if (connection === undefined) throw new CommandFailed('The connection was removed.')
      const before = history
      history = historyIn(connection)
      if (before.updated_at !== history.updated_at) print()
    }
    return history.state === 'failed' ? 1 : 0
  },
}

type History = NonNullable<StoreConnectionView['apps'][number]['history']>

function lineOf({ state, percent, reviews, added, problem }: History): string {
  const share = percent === null || state === 'done' ? '' : ` ${percent} %`
  const why = problem === null ? '' : `: ${excerpt(problem, 400)}`
  return `${state}${share}, ${reviews} reviews read, ${added} new${why}\n`
}
