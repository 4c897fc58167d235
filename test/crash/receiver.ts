import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../support/listen.ts'
import { channelOf } from './formatted.ts'
import type { Ledger, Receipt } from './ledger.ts'

/** The receiver's behaviour for an event. It depends on the event ID, so that it is the same for every attempt. */
const BEHAVIOURS = ['ok', 'slow', 'fails_once', 'drops_once', 'poisoned'] as const
type Behaviour = (typeof BEHAVIOURS)[number]
/** Out of sixteen events: failures are common, but no breaker stays open for long. */
const WEIGHTS: Readonly<Record<Behaviour, number>> = {
  ok: 8,
  slow: 4,
  fails_once: 2,
  drops_once: 1,
  poisoned: 1,
}
const BEHAVIOUR_OF_BYTE = BEHAVIOURS.flatMap((behaviour) =>
  Array<Behaviour>(WEIGHTS[behaviour]).fill(behaviour),
)

/** Long enough to be in flight at a kill, short enough for the grace period of a stop. */
const SLOW_MS_MAX = 150

export type CrashReceiver = AsyncDisposable & {
  readonly url: string
  readonly targetUrl: (hook: string) => string
  /** Accepts these events from now on. */
  readonly repair: (eventIds: readonly string[]) => void
  /** With `false`, accepts all poisoned events too. */
  readonly setPoison: (on: boolean) => void
}

/** Records the requests of all hooks in the ledger. One event in sixteen fails until it is repaired. */
export async function startCrashReceiver(ledger: Ledger): Promise<CrashReceiver> {
  const attempts = new Map<string, number>()
  const repaired = new Set<string>()
  let poison = true

  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    const channel = channelOf(path)
    const signature = String(request.headers['x-radar-signature'] ?? '')
    const [receipt] =
      channel === null
        ? [ledger.receive(path.slice(1), signature, body)]
        : (ledger.receiveMessage(channel, String(body)) ?? [])
    if (receipt == null) {
      response.writeHead(400).end()
      return
    }
    response.once('close', () => {
      receipt.endedAtMs ??= Date.now()
    })
    const { eventId } = receipt
    const nth = (attempts.get(eventId) ?? 0) + 1
    attempts.set(eventId, nth)
    respond(behaviourOf(eventId), nth, receipt, response)
  })

  function respond(behaviour: Behaviour, nth: number, receipt: Receipt, response: ServerResponse): void {
    const { eventId } = receipt
    if (behaviour === 'poisoned' && poison && !repaired.has(eventId)) response.writeHead(500).end()
    else if (behaviour === 'fails_once' && nth === 1) response.writeHead(503).end()
    else if (behaviour === 'drops_once' && nth === 1) response.destroy()
    else if (behaviour === 'slow')
      setTimeout(() => accept(receipt, response), 1 + Math.random() * SLOW_MS_MAX)
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
    url: listening.url,
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

function behaviourOf(eventId: string): Behaviour {
  const [byte = 0] = createHash('sha256').update(eventId).digest()
  return BEHAVIOUR_OF_BYTE[byte % BEHAVIOUR_OF_BYTE.length] ?? 'ok'
}
