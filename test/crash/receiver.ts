import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../support/listen.ts'
import type { Ledger, Receipt } from './ledger.ts'

/** The receiver's behaviour for an event, determined by its id, so that it is the same for every attempt. */
const FATES = ['ok', 'slow', 'fails_once', 'drops_once', 'poisoned'] as const
type Fate = (typeof FATES)[number]
/** Per sixteen events: failures are common, but no breaker stays open for long. */
const SHARES: Readonly<Record<Fate, number>> = { ok: 8, slow: 4, fails_once: 2, drops_once: 1, poisoned: 1 }
const FATE_OF_BYTE = FATES.flatMap((fate) => Array<Fate>(SHARES[fate]).fill(fate))

/** Long enough to be under way at a kill, short enough for the grace of a stop. */
const SLOW_MS_MAX = 150

export type CrashReceiver = AsyncDisposable & {
  readonly targetUrl: (hook: string) => string
  /** These events are accepted from now on. */
  readonly repair: (eventIds: readonly string[]) => void
  /** Accepts all events until the next call of `poison`. */
  readonly setPoison: (on: boolean) => void
}

/** Records every hook's webhooks in the ledger; one event in sixteen fails until it is repaired. */
export async function startCrashReceiver(ledger: Ledger): Promise<CrashReceiver> {
  const tries = new Map<string, number>()
  const repaired = new Set<string>()
  let poison = true

  const server = createServer(async (request, response) => {
    const hook = (request.url ?? '').slice(1)
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    const receipt = ledger.receive(hook, String(request.headers['x-radar-signature'] ?? ''), body)
    if (receipt === null) {
      response.writeHead(400).end()
      return
    }
    response.once('close', () => {
      receipt.endedAtMs ??= Date.now()
    })
    const { eventId } = receipt
    const nth = (tries.get(eventId) ?? 0) + 1
    tries.set(eventId, nth)
    answer(fateOf(eventId), nth, receipt, response)
  })

  function answer(fate: Fate, nth: number, receipt: Receipt, response: ServerResponse): void {
    const { eventId } = receipt
    if (fate === 'poisoned' && poison && !repaired.has(eventId)) response.writeHead(500).end()
    else if (fate === 'fails_once' && nth === 1) response.writeHead(503).end()
    else if (fate === 'drops_once' && nth === 1) response.destroy()
    else if (fate === 'slow') setTimeout(() => accept(receipt, response), 1 + Math.random() * SLOW_MS_MAX)
    else accept(receipt, response)
  }

  function accept(receipt: Receipt, response: ServerResponse): void {
    // The client may have disconnected without a response.
    if (response.destroyed || response.socket?.destroyed !== false) return
    response.once('finish', () => {
      receipt.endedAtMs = Date.now()
      ledger.accept(receipt)
    })
    response.writeHead(204).end()
  }

  const listening = await listen(server)
  return {
    targetUrl: (hook) => `${listening.url}/${hook}`,
    repair: (eventIds) => {
      for (const eventId of eventIds) repaired.add(eventId)
    },
    setPoison: (on) => {
      poison = on
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

function fateOf(eventId: string): Fate {
  const [byte = 0] = createHash('sha256').update(eventId).digest()
  return FATE_OF_BYTE[byte % FATE_OF_BYTE.length] ?? 'ok'
}
