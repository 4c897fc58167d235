import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a closing server end connections on which nothing was ever sent, as browsers open them ahead and load balancers for their checks.
 * Node counts such a connection as busy: without this it holds the close for the whole grace period, and stays open afterwards.
 */
export function closeSilentConnections(server: FastifyInstance): void {
  const silent = new Set<Socket>()
  let closing = false
  server.server.on('connection', (socket) => {
    if (closing) return socket.destroy()
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.server.on('request', ({ socket }) => silent.delete(socket))
  server.addHook('preClose', async () => {
    closing = true
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
  })
}
