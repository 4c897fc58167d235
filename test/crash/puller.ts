import { setTimeout } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import type { Ledger } from './ledger.ts'
import type { Node } from './nodes.ts'

const RETRY_MS = 50

/**
 * A program that pulls every event of the account from any running node, and continues from its cursor after each kill. The ledger finds
 * events that it got twice or never. Disposing it waits for its end.
 */
export function startPuller(nodes: readonly Node[], token: string, ledger: Ledger): AsyncDisposable {
  const clients = nodes.map(({ url }) => createClient({ baseUrl: url, token, timeoutMs: 10_000 }))
  const stop = new AbortController()
  let cursor = '0'

  const run = async () => {
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      try {
        const query = { after: cursor, limit: '200', wait: '1' }
        const page = await clients[turn % clients.length]?.listEvents(query, stop.signal)
        // Both in one step: a program stores its cursor with the events.
        for (const event of page?.data ?? []) ledger.pull(event)
        cursor = page?.next_cursor ?? cursor
      } catch {
        await setTimeout(RETRY_MS, undefined, { signal: stop.signal }).catch(() => {})
      }
    }
  }
  const ended = run()
  return {
    [Symbol.asyncDispose]: () => {
      stop.abort()
      return ended
    },
  }
}
