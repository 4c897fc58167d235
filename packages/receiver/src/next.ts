import { fetchHandler } from './fetch.ts'
import type { HandlerOptions } from './handle.ts'

/**
 * `export const POST = nextHandler({ … })` in a `route.ts` of the App Router, on the Node or the edge runtime. In the
 * Pages Router use `nodeHandler` of the entry `node`, with `bodyParser: false` in the `config` of the route.
 */
export function nextHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return fetchHandler(options)
}
