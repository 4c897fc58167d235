import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a server of a test listens, e.g. `http://127.0.0.1:40123`. Disposing cuts its connections and closes it. */
export type Listening = AsyncDisposable & { readonly url: string; readonly port: number }

/** Lets the server listen on a free port of this machine; resolves when it does. */
export async function listen(server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
