import { z } from 'zod'
import { STREAM_END, type StreamEndReason, type StreamTopic } from '../../contract/console/system.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import { type SessionDeps, signedInAs } from '../session.ts'
import { createTopics } from './topics.ts'

export type StreamDeps = SessionDeps & {
  readonly operations: Pick<Operations, 'accounts' | 'overview' | 'people'>
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
}

/** Proxies close connections that are idle for 30 s or more. Each heartbeat also checks the session. */
const HEARTBEAT_MS = 25_000
/** The maximum of open streams per account; each browser tab has one. */
const STREAMS_MAX = 100

/** Changes of the account as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function streamRoutes(deps: StreamDeps): Route[] {
  const { clock, stopping } = deps
  const { accounts } = deps.operations
  const topics = createTopics({ ...deps, signal: stopping })
  const open = new Map<string, number>()
  const count = (accountId: string, by: 1 | -1) => {
    const streams = (open.get(accountId) ?? 0) + by
    if (streams === 0) open.delete(accountId)
    else open.set(accountId, streams)
  }

  const isStillIn = async (accountId: string, cookie: string | undefined): Promise<boolean> => {
    const session = await signedInAs(cookie, deps)
    return session?.member?.accountId === accountId && !session.lacksSecondFactor
  }

  return [
    route({
      method: 'GET',
      path: '/stream',
      query: z.object({ since: z.string().max(200, 'since: at most 200 characters').optional() }),
      async run({ caller: { accountId }, query, request, reply }) {
        if ((open.get(accountId) ?? 0) >= STREAMS_MAX) {
          throw new ApiError('rate_limited', `An account can have at most ${STREAMS_MAX} open streams.`)
        }
        count(accountId, 1)
        const ended = new AbortController()
        const end = () => ended.abort()
        let waiting = 'retry: 3000\n\n'
        let hijacked = false
        const notify = (changed: readonly StreamTopic[], state: string) => {
          const events = ['ready', ...changed].map((topic) => `id: ${state}\nevent: ${topic}\ndata: {}\n\n`)
          if (hijacked) reply.raw.write(events.join(''))
          else waiting += events.join('')
        }
        // The browser sends the last id when it reconnects.
        const since = String(request.headers['last-event-id'] ?? query.since ?? '') || null
        const stop = await topics.listen(accountId, since, notify).catch((error) => {
          count(accountId, -1)
          throw error
        })
        reply.hijack()
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
          // Without this header nginx buffers the events.
          'x-accel-buffering': 'no',
        })
        reply.raw.write(waiting)
        hijacked = true
        request.raw.on('close', end)
        reply.raw.on('close', end)
        stopping.addEventListener('abort', end, { once: true })
        if (stopping.aborted || request.raw.destroyed) end()
        try {
          while (!ended.signal.aborted) {
            await clock.sleep(HEARTBEAT_MS, ended.signal)
            if (ended.signal.aborted) break
            if (!(await isStillIn(accountId, request.headers.cookie))) {
              const reason: StreamEndReason = (await accounts.isActive(accountId))
                ? 'session_left'
                : 'account_deleted'
              reply.raw.write(`event: ${STREAM_END}\ndata: ${JSON.stringify({ reason })}\n\n`)
              break
            }
            reply.raw.write(':\n\n')
          }
        } finally {
          stop()
          count(accountId, -1)
          stopping.removeEventListener('abort', end)
          reply.raw.end()
        }
      },
    }),
  ]
}
