import { fetchHandler } from './fetch.ts'
import type { HandlerOptions } from './handle.ts'

/** `app.post('/radar', honoHandler({ … }))`. Works wherever Hono runs. */
export function honoHandler(
  options: HandlerOptions,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  const handle = fetchHandler(options)
  return (context) => handle(context.req.raw)
}
