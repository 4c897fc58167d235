import { after, test } from 'node:test'
import type { Client } from '../../src/client/client.ts'
import { HTTP_PRESETS } from '../../src/contract/http-presets.ts'
import { settingsAt, startChatServices } from '../support/chat/chat-services.ts'
import { startMailServer } from '../support/mail-server.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** `npm run bench -- --only targets` measures the delays of 1,000 destinations. */

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const chat = await startChatServices()
after(() => chat[Symbol.asyncDispose]())
const radar = await startTestService({
  RADAR_SMTP_URL: mail.url,
  RADAR_SMTP_FROM: 'radar@example.com',
  // Longer than the test, so that a hanging request keeps its slot until the end.
  RADAR_DELIVERY_TIMEOUT: '60s',
})
after(async () => {
  radar.service.abortInFlight()
  await radar[Symbol.asyncDispose]()
})

const APP = { store: 'apple', appId: '843', market: 'us' } as const
const RULE = { store: 'apple', app_id: '843', event_type: 'review.created' } as const
const OF_EACH_TYPE = 12
const BLOCKED = 3
/** More than the slots of a host together, if each channel took all of its slots. */
const BACKLOG = 8

test('channels that hang or are limited hold up no other destination, also of the same service', async () => {
  addApp(radar.world, APP)
  const alice = await radar.person('Alice')
  const settings = settingsAt(chat.url)
  const destinations = {
    ...settings,
    http: { ...HTTP_PRESETS.ntfy, url: `${chat.url}/` },
    email: { to: ['team@example.com'] },
  }
  chat.block('T0HANGS', null)
  chat.block('T0LIMITED', { status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' })
  for (const team of ['T0HANGS', 'T0LIMITED'])
    for (let count = 0; count < BLOCKED; count += 1) {
      const webhook_url = settings.slack.webhook_url.replace('T024', team)
      const { id } = await subscribe(alice.client, 'slack', { webhook_url })
      await alice.client.changeHook(id, { rate_per_second: 100 })
    }
  await baseline(radar, '843')
  for (let count = 0; count < BACKLOG; count += 1) publish(radar, APP)
  await until('requests hang', () => chat.blocked() >= 2 * BLOCKED)
  for (let count = 0; count < OF_EACH_TYPE; count += 1)
    for (const [type, its] of Object.entries(destinations)) await subscribe(alice.client, type, its)
  publish(radar, APP, { rating: 2 })
  await until('the message arrived at every other destination', () => {
    const types = Object.keys(destinations).length - 1
    return chat.posted.length === OF_EACH_TYPE * types && mail.mails.length === OF_EACH_TYPE
  })
})

function subscribe(client: Client, target_type: string, target_settings: object) {
  return client.subscribe({ ...RULE, target_type, target_settings } as Parameters<Client['subscribe']>[0])
}
