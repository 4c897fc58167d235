import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { unknownNames } from '../model/unknown-names.ts'
import type { Api } from './api.ts'
import { lenient } from './arguments.ts'
import { TOOLS, type Tool } from './tools.ts'
import { UNTRUSTED_NOTE } from './untrusted.ts'

const INSTRUCTIONS = `Reads the reviews and ratings of apps in the App Store and on Google Play that Review Radar watches for this account. ${UNTRUSTED_NOTE}`

/** A server of the Model Context Protocol whose tools call `api`, created for each request or connection. */
export function createMcpServer(api: Api, version: string): McpServer {
  const server = new McpServer(
    { name: 'review-radar', title: 'Review Radar', version },
    { instructions: INSTRUCTIONS },
  )
  for (const tool of TOOLS) register(server, tool, api)
  return server
}

/** Ignoring an unknown argument, such as a misspelt filter, would give a wrong answer without a sign. */
function strictly(tool: string, { shape }: z.ZodObject): z.ZodObject {
  return z.strictObject(shape, {
    error: ({ code, input }) =>
      code === 'unrecognized_keys'
        ? unknownNames(input, Object.keys(shape), `an argument of ${tool}`).join(' ')
        : undefined,
  })
}

function register(server: McpServer, tool: Tool, api: Api): void {
  const { name, title, description, input, isChange, replaces } = tool
  const annotations = {
    readOnlyHint: !isChange,
    // Programs ask a person before such a call.
    destructiveHint: replaces,
    idempotentHint: true,
    // A replay sends requests to receivers.
    openWorldHint: isChange,
  }
  server.registerTool(
    name,
    { title, description, inputSchema: lenient(strictly(name, input)), annotations },
    async (given) => {
      const answer = await api(tool.call(given as never))
      if (!answer.ok) return { isError: true, content: [{ type: 'text' as const, text: answer.error }] }
      const shown = tool.present(answer.body as never)
      return { content: [{ type: 'text' as const, text: JSON.stringify(shown) }], structuredContent: shown }
    },
  )
}
