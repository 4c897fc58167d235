import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createRandom } from '../simulation/random.ts'
import { OBJECT_SETTINGS } from '../support/account-objects.ts'
import { apiCalls } from '../support/api-calls.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { routesOf } from '../support/route-table.ts'
import { startTestService } from '../support/service.ts'
import { type FuzzRequest, fuzzRequests } from './requests.ts'

export type FuzzReport = {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that were answered with 5xx, or whose connection was closed without an answer. */
  readonly failures: readonly { readonly request: FuzzRequest; readonly failure: string }[]
}

/** Requests at the same time. */
const CONCURRENCY = 8

/** Sends requests to a service with an account that has an object of each kind. The same seed sends the same ones. */
export async function fuzz(
  requests: number,
  seed: number,
  onProgress: (sent: number, failures: number) => void = () => {},
): Promise<FuzzReport> {
  let server: FastifyInstance | null = null
  await using running = await startTestService(
    { ...OBJECT_SETTINGS, RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '1000000' },
    {
      mount: async (fastify) => {
        server = fastify
      },
    },
  )
  const alice = await tenant(running, 'Alice')
  await using data = await createAccountData(running, alice.owner, '406000001')
  const calls = await apiCalls(running, alice, data)
  const next = fuzzRequests({
    random: createRandom(seed),
    calls,
    appId: data.appId,
    served: routesOf(server ?? assert.fail()),
    token: alice.token,
    cookie: alice.owner.cookie(),
  })
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const statuses: Record<string, number> = {}
  const failures: { request: FuzzRequest; failure: string }[] = []
  let sent = 0
  const sendAll = async () => {
    while (sent < requests) {
      sent += 1
      if (sent % 10_000 === 0) onProgress(sent, failures.length)
      const each = next()
      const { status, text } = await answerTo(running.url, agent, each)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 'closed' || status >= '500')
        failures.push({ request: each, failure: `${status} ${text}` })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendAll))
  agent.destroy()
  return { requests: sent, statuses, failures }
}

type Answer = { readonly status: string; readonly text: string }

/** A path is sent as it is, unlike with `fetch`. */
function answerTo(url: string, agent: Agent, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  return new Promise((resolve) => {
    // Node sends no length with the body of a DELETE or HEAD, so the server would read it as the next request.
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sending = request(url, { agent, method, path, headers: { ...headers, ...length } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        if (text.length < 500) text += part
      })
      response.on('error', (error) => resolve({ status: 'closed', text: error.message }))
      response.on('end', () => resolve({ status: String(response.statusCode), text }))
    })
    sending.on('error', (error) => resolve({ status: 'closed', text: error.message }))
    sending.end(body ?? undefined)
  })
}
