import { settingsAt, startChatServices } from '../../test/support/chat/chat-services.ts'
import { startMailServer } from '../../test/support/mail-server.ts'
import { answerCalls } from './calls.ts'

/** Local servers of the chat services and of mail. Each service has its own host, as in reality. */

const SERVICES = ['slack', 'discord', 'telegram', 'teams', 'http'] as const
const BLOCKED_TEAM = 'T0BLOCKED'

await using opened = new AsyncDisposableStack()
const chats = await Promise.all(SERVICES.map(async () => opened.use(await startChatServices())))
const mail = opened.use(await startMailServer())
const ended = Promise.withResolvers<void>()
const [slack] = chats

answerCalls(
  {
    /** The URL of each service, and of the mail server. */
    urls: () => ({
      ...Object.fromEntries(SERVICES.map((name, at) => [name, chats[at]?.url])),
      mail: mail.url,
    }),
    /** Slack channels with the returned settings answer 429 forever, or never answer. */
    block: (how: 'limits' | 'hangs') => {
      const limited = { status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' }
      slack?.block(BLOCKED_TEAM, how === 'limits' ? limited : null)
      const { webhook_url } = settingsAt(slack?.url ?? '').slack
      return { webhook_url: webhook_url.replace('T024', BLOCKED_TEAM) }
    },
    blocked: () => slack?.blocked() ?? 0,
    /** Messages accepted so far. */
    posted: () => chats.reduce((sum, { posted }) => sum + posted.length, mail.mails.length),
  },
  async () => {
    ended.resolve()
    await opened.disposeAsync()
  },
)
await ended.promise
