import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { InsightsStorage } from '../../storage/port/insights.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { Refusal } from '../errors.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'
import type { SignIn } from './sign-in.ts'
import { createTopics } from './topics.ts'

export type StreamDeps = {
  readonly insights: Pick<InsightsStorage, 'marks'>
  readonly people: Pick<PeopleStorage, 'memberOf'>
  readonly signIn: () => Promise<SignIn>
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
}

/** Proxies cut what is silent for 30 s or more; each beat also asks whether the session still holds. */
const BEAT_MS = 25_000
/** Open streams of one account: each tab of each member has one. */
const STREAMS_MAX = 100

/** What changed, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function streamRoutes(deps: StreamDeps): ConsoleRoute[] {
  const { clock, stopping } = deps
  const topics = createTopics({ ...deps, signal: stopping })
  const open = new Map<string, number>()
  const count = (accountId: string, by: 1 | -1) => {
    const streams = (open.get(accountId) ?? 0) + by
    if (streams === 0) open.delete(accountId)
    else open.set(accountId, streams)
  }

  const stillSignedIn = async (cookie: string | undefined): Promise<boolean> => {
    const { user } = await (await deps.signIn()).sessionOf(cookie)
    return user !== null && (await deps.people.memberOf(user.id)) !== null
  }

  return [
    consoleRoute({
      method: 'GET',
      path: '/stream',
      async run({ caller: { accountId }, request, reply }) {
        if ((open.get(accountId) ?? 0) >= STREAMS_MAX) {
          throw new Refusal('rate_limited', `An account has at most ${STREAMS_MAX} streams open.`)
        }
        const ended = new AbortController()
        const end = () => ended.abort()
        const stop = await topics.listen(accountId, (changed) => {
          reply.raw.write(changed.map((topic) => `event: ${topic}\ndata: {}\n\n`).join(''))
        })
        reply.hijack()
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
          // nginx would collect events before it passes them on.
          'x-accel-buffering': 'no',
        })
        reply.raw.write('retry: 3000\n\n')
        count(accountId, 1)
        request.raw.on('close', end)
        reply.raw.on('close', end)
        stopping.addEventListener('abort', end, { once: true })
        if (stopping.aborted || request.raw.destroyed) end()
        try {
          while (!ended.signal.aborted) {
            await clock.sleep(BEAT_MS, ended.signal)
            if (ended.signal.aborted || !(await stillSignedIn(request.headers.cookie))) break
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
