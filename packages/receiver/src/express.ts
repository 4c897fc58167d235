import type { HandlerOptions } from './handle.ts'
import { type NodeRequest, type NodeResponse, nodeHandler } from './node.ts'

/**
 * `app.post('/radar', expressHandler({ … }))`, before `app.use(express.json())`: a parsed body has lost its bytes. After
 * `express.raw({ type: 'application/json' })` it works as well.
 */
export function expressHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return nodeHandler(options)
}
