import { z } from 'zod'
import { postJson } from '../post-json.ts'
import type { Target } from '../target.ts'
import { serviceUrl } from '../url-setting.ts'
import { slackDigest, slackMessage } from './blocks.ts'
import { slackFailureOf } from './failures.ts'

const WEBHOOK_PATH = /^\/services\/[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]+\/?$/

const settings = z.object({
  webhook_url: serviceUrl(
    'webhook_url',
    'the URL of an incoming webhook, such as https://hooks.slack.com/services/T…/B…/…',
    (url) => WEBHOOK_PATH.test(url.pathname),
  ),
})

/** An incoming webhook of Slack, which belongs to one channel. */
export const slack: Target<z.infer<typeof settings>> = {
  type: 'slack',
  settings,
  secretFields: ['webhook_url'],
  shownUrl({ webhook_url }) {
    const { origin, pathname } = new URL(webhook_url)
    return `${origin}/services/${pathname.split('/')[2]}/…/…`
  },
  message: (event, { webhook_url }, context) => post(webhook_url, slackMessage(event, context)),
  digest: (items, { webhook_url }, context) => post(webhook_url, slackDigest(items, context)),
  failureOf: slackFailureOf,
  ratePerSecond: 1,
}

function post(url: string, payload: object) {
  return postJson(url, payload, 'application/json; charset=utf-8')
}
