import { z } from 'zod'
import { postJson } from '../post-json.ts'
import type { Target } from '../target.ts'
import { serviceUrl } from '../url-setting.ts'
import { teamsDigest, teamsMessage } from './card.ts'
import { teamsFailureOf } from './failures.ts'

const settings = z.object({
  webhook_url: serviceUrl(
    'webhook_url',
    'the URL of a workflow with the trigger "When a Teams webhook request is received", which ends with &sig=…; URLs of the retired Office 365 connectors do not work',
    (url) =>
      /\/workflows\/[^/]+\/triggers\//.test(url.pathname) && (url.searchParams.get('sig') ?? '') !== '',
  ),
})

/** A workflow of Teams, which posts to one channel or chat. Whoever has the `sig` of its URL can post. */
export const teams: Target<z.infer<typeof settings>> = {
  type: 'teams',
  settings,
  secretFields: ['webhook_url'],
  shownUrl({ webhook_url }) {
    const { origin, pathname } = new URL(webhook_url)
    return `${origin}/…/workflows/${/\/workflows\/([^/]{1,8})/.exec(pathname)?.[1]}…`
  },
  message: (event, { webhook_url }, context) => postJson(webhook_url, teamsMessage(event, context)),
  digest: (items, { webhook_url }, context) => postJson(webhook_url, teamsDigest(items, context)),
  failureOf: teamsFailureOf,
  ratePerSecond: 0.5,
}
