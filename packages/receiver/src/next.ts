import { fetchHandler } from './fetch.ts'
import type { HandlerOptions } from './handle.ts'

/**
 * `export const POST = nextHandler({ … })` in a `route.ts` of the App Router, on the Node or the edge runtime. For the
 * Pages Router, use `nodeHandler` from `@review-radar/receiver/node`, with `bodyParser: false` in the route's `config`.
 */
export function nextHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return fetchHandler(options)
}
