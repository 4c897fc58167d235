import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { ApiResponseError } from '../../client/client.ts'
import type { Api } from '../../mcp/api.ts'
import { createMcpServer } from '../../mcp/server.ts'
import { VERSION } from '../../service/version.ts'
import type { Command } from '../command.ts'
import { remoteService } from '../remote/service.ts'
import { stopSignals } from '../stop-signal.ts'

export const mcp: Command = {
  about:
    'Serves the Model Context Protocol on standard input and output, for assistants that start programs. Its tools read reviews, statistics, ratings, hooks and dead letters, and replay dead letters. It calls the service at RADAR_URL (default http://127.0.0.1:8080) with the token in RADAR_TOKEN; with a token of the scope read it cannot change anything. Assistants that support HTTP use the path /mcp of the service instead.',
  options: {},
  async run(io) {
    const { client, failed } = remoteService(io)
    const api: Api = async ({ method, path, query, body }) => {
      try {
        return { ok: true, body: await client.call(method, path, { query, body }) }
      } catch (error) {
        // The message of the service names the invalid value. Only an invalid token is caused by the settings here.
        const isAnswer = error instanceof ApiResponseError && error.status !== 401
        return { ok: false, error: isAnswer ? error.message : failed(error).message }
      }
    }
    using signals = stopSignals()
    const ended = Promise.withResolvers<void>()
    process.stdin.once('end', ended.resolve).once('close', ended.resolve)
    const server = serveStdio(() => createMcpServer(api, VERSION), {
      onerror: (error) => io.err(`radar mcp: ${error.message}\n`),
    })
    await Promise.race([signals.first, ended.promise])
    await server.close()
    return 0
  },
}
