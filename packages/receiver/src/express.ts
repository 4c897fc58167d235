import type { HandlerOptions } from './handle.ts'
import { type NodeRequest, type NodeResponse, nodeHandler } from './node.ts'

/**
 * `app.post('/radar', expressHandler({ … }))`, before `app.use(express.json())`: verification needs the raw body. It also
 * works after `express.raw({ type: 'application/json' })`.
 */
export function expressHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return nodeHandler(options)
}
