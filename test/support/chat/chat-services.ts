import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Listening, listen } from '../listen.ts'
import type { ServiceAnswer } from './chat-answers.ts'
import { discordErrorsOf, seenInDiscord } from './discord-rules.ts'
import { appriseProblemOf, ntfyProblemOf, seenInPush } from './http-rules.ts'
import type { Seen } from './seen.ts'
import { seenInSlack, slackProblemOf } from './slack-rules.ts'
import { seenInTeams, teamsProblemOf } from './teams-rules.ts'
import { seenInTelegram, telegramProblemOf } from './telegram-rules.ts'

/**
 * Local servers of Slack, Discord, Telegram, Teams workflows, ntfy and the Apprise API, as far as their documentation
 * describes them: paths, credentials, content types, checks of messages, and answers.
 */
export type ChatServices = Listening & {
  /** The messages that were accepted, as their readers see them. */
  readonly posted: readonly Seen[]
  /** The next request gets this answer. */
  readonly answerOnce: (answer: ServiceAnswer) => void
  /** Requests whose path contains this text get this answer from now on; with `null` they never get one. */
  readonly block: (path: string, answer: ServiceAnswer | null) => void
  /** Requests to blocked paths so far. */
  readonly blocked: () => number
}

export const CHAT_SECRETS = {
  slack: 'slackSecretSlackSecret12',
  discord: 'discordSecret-discordSecret_discordSecret',
  telegram: '1234567890:AAtelegramSecret-telegramSecret_12345',
  teams: 'teamsSecret',
} as const

/** The settings of a destination of each type, at these servers. */
export function settingsAt(url: string) {
  return {
    slack: { webhook_url: `${url}/services/T024/B045/${CHAT_SECRETS.slack}` },
    discord: { webhook_url: `${url}/api/webhooks/1234567890123456789/${CHAT_SECRETS.discord}` },
    telegram: { bot_token: CHAT_SECRETS.telegram, chat_id: '-1001234567890', api_url: url },
    teams: {
      webhook_url: `${url}/workflows/0123456789abcdef/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${CHAT_SECRETS.teams}`,
    },
  } as const
}

type Read = { readonly seen: Seen } | ServiceAnswer
type Service = {
  readonly path: RegExp
  readonly read: (body: string, url: URL) => Read
  readonly accepted: ServiceAnswer
}

const accepted = (status: number, body: string): ServiceAnswer => ({ status, body })
const rejected = (status: number, body: string | object): ServiceAnswer => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const SERVICES: readonly Service[] = [
  {
    path: /^\/services\//,
    accepted: accepted(200, 'ok'),
    read(body, url) {
      if (!url.pathname.endsWith(`/${CHAT_SECRETS.slack}`)) return rejected(403, 'invalid_token')
      const problem = slackProblemOf(parsed(body))
      return problem === null ? { seen: seenInSlack(parsed(body)) } : rejected(400, problem)
    },
  },
  {
    path: /^\/api\/webhooks\//,
    accepted: accepted(200, '{"id":"1","type":0}'),
    read(body, url) {
      if (!url.pathname.endsWith(`/${CHAT_SECRETS.discord}`))
        return rejected(401, { message: 'Invalid Webhook Token', code: 50_027 })
      // Without `wait`, Discord answers before it checks.
      if (url.searchParams.get('wait') !== 'true') return accepted(204, '')
      const errors = discordErrorsOf(parsed(body))
      return Object.keys(errors).length === 0
        ? { seen: seenInDiscord(parsed(body)) }
        : rejected(400, { message: 'Invalid Form Body', code: 50_035, errors })
    },
  },
  {
    path: /^\/bot[^/]+\/sendMessage$/,
    accepted: accepted(200, '{"ok":true,"result":{"message_id":1}}'),
    read(body, url) {
      const failed = (code: number, description: string) =>
        rejected(code, { ok: false, error_code: code, description })
      if (url.pathname !== `/bot${CHAT_SECRETS.telegram}/sendMessage`) return failed(401, 'Unauthorized')
      const problem = telegramProblemOf(parsed(body))
      return problem === null ? { seen: seenInTelegram(parsed(body)) } : failed(400, problem)
    },
  },
  {
    path: /^\/workflows\//,
    accepted: accepted(202, ''),
    read(body, url) {
      if (url.searchParams.get('sig') !== CHAT_SECRETS.teams)
        return rejected(401, { error: { code: 'AuthorizationFailed', message: '…' } })
      const problem = teamsProblemOf(body)
      return problem === null
        ? { seen: seenInTeams(body) }
        : rejected(problem === 'RequestEntityTooLarge' ? 413 : 400, {
            error: { code: problem, message: '…' },
          })
    },
  },
  {
    path: /^\/notify\//,
    accepted: accepted(200, '{"error":"","details":[]}'),
    read(body) {
      const problem = appriseProblemOf(parsed(body))
      return problem === null ? { seen: seenInPush(parsed(body)) } : rejected(400, { error: problem })
    },
  },
  {
    path: /^\/$/,
    accepted: accepted(200, '{"id":"x","event":"message"}'),
    read(body) {
      const problem = ntfyProblemOf(parsed(body))
      return problem === null
        ? { seen: seenInPush(parsed(body)) }
        : rejected(400, { code: 40_001, http: 400, error: problem })
    },
  },
]

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

export async function startChatServices(): Promise<ChatServices> {
  const posted: Seen[] = []
  let next: ServiceAnswer | null = null
  const blocks = new Map<string, ServiceAnswer | null>()
  let blocked = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const url = new URL(request.url ?? '/', 'http://chat.test')
    const block = [...blocks].find(([path]) => url.pathname.includes(path))
    if (block !== undefined) {
      blocked += 1
      if (block[1] !== null) response.writeHead(block[1].status, block[1].headers).end(block[1].body)
      return
    }
    const answer = next ?? answerOf(request.method, request.headers['content-type'] ?? '', url, body)
    next = null
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  const answerOf = (
    method: string | undefined,
    contentType: string,
    url: URL,
    body: string,
  ): ServiceAnswer => {
    const service = SERVICES.find(({ path }) => path.test(url.pathname))
    if (service === undefined) return rejected(404, 'not found')
    if (method !== 'POST') return rejected(405, 'method not allowed')
    if (!contentType.startsWith('application/json')) return rejected(415, 'unsupported media type')
    const read = service.read(body, url)
    if (!('seen' in read)) return read
    posted.push(read.seen)
    return service.accepted
  }
  const listening = await listen(server)
  return {
    ...listening,
    posted,
    answerOnce: (answer) => {
      next = answer
    },
    block: (path, answer) => void blocks.set(path, answer),
    blocked: () => blocked,
    [Symbol.asyncDispose]: listening[Symbol.asyncDispose],
  }
}
