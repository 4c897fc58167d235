import type { CDPSession } from 'playwright-core'

type Exchange = { readonly url: string; readonly startedAt: number; endedAt: number; bytes: number }

/** Records the requests of a page, with the times of the browser. */
export async function recordRequests(session: CDPSession) {
  const requests = new Map<string, Exchange>()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    requests.set(requestId, {
      url: request.url,
      startedAt: timestamp,
      endedAt: Number.POSITIVE_INFINITY,
      bytes: 0,
    })
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const exchange = requests.get(requestId)
    if (exchange === undefined) return
    exchange.endedAt = timestamp
    exchange.bytes = encodedDataLength
  })
  return {
    /** The requests that have their answer, in the order of their start. */
    answered: () => [...requests.values()].filter(({ endedAt }) => Number.isFinite(endedAt)),
  }
}

/** The longest chain of requests in which each starts after the end of the one before. */
export function sequentialRoundTrips(exchanges: readonly Exchange[]): number {
  const chains: { readonly endedAt: number; readonly length: number }[] = []
  for (const { startedAt, endedAt } of exchanges) {
    const before = chains.filter((chain) => chain.endedAt <= startedAt).map(({ length }) => length)
    chains.push({ endedAt, length: 1 + Math.max(0, ...before) })
  }
  return Math.max(0, ...chains.map(({ length }) => length))
}

/** A line for each request: start, end (ms after the first start), bytes, path. */
export function waterfall(exchanges: readonly Exchange[]): string {
  const zero = exchanges[0]?.startedAt ?? 0
  const column = (value: number) => String(Math.round(value)).padStart(7)
  return exchanges
    .map(({ url, startedAt, endedAt, bytes }) =>
      [
        column(1_000 * (startedAt - zero)),
        column(1_000 * (endedAt - zero)),
        column(bytes),
        ` ${new URL(url).pathname}`,
      ].join(''),
    )
    .join('\n')
}
