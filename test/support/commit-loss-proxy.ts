import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy to a PostgreSQL server that can lose the response to a commit. */
export type CommitLossProxy = AsyncDisposable & {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Makes the connection break after the next commit took effect, before its response arrives. */
  readonly loseNextCommitResponse: () => void
  /** The number of commits that lost their response. */
  readonly lostResponses: () => number
}

/** The driver's message for a commit, a simple query. */
const COMMIT = Buffer.from('commit\0')
/** The server's response to a commit. */
const COMMITTED = Buffer.from('COMMIT\0')

export async function startCommitLossProxy(serverUrl: string): Promise<CommitLossProxy> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let armed = false
  let lostCount = 0
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isCommitting = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (armed && bytes.includes(COMMIT)) {
        armed = false
        isCommitting = true
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isCommitting && bytes.includes(COMMITTED)) {
        lostCount += 1
        client.destroy()
      } else client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address !== null ? address.port : '')
  return {
    url: url.href,
    loseNextCommitResponse: () => {
      armed = true
    },
    lostResponses: () => lostCount,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
