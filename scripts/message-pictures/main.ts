import { writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { HTTP_PRESETS } from '../../src/contract/http-presets.ts'
import type { FormattedTargetType } from '../../src/model/target.ts'
import { TARGETS } from '../../src/pipeline/targets/index.ts'
import type { Message, MessageEvent } from '../../src/pipeline/targets/target.ts'
import { ARABIC, BUG, CONTEXT, DIGEST, DROP, PRAISE, RECOVERY, SPIKE } from './examples.ts'
import {
  CSS,
  discordHtml,
  mailHtml,
  payloadOf,
  pushHtml,
  slackHtml,
  teamsHtml,
  telegramHtml,
} from './services.ts'

/**
 * Draws the messages of each type as a picture: `node scripts/message-pictures/main.ts FOLDER`. The flags of storefronts are left out,
 * because few machines without a desktop have a font for them.
 */

const SETTINGS: Readonly<Record<FormattedTargetType, object>> = {
  slack: { webhook_url: 'https://hooks.slack.com/services/T/B/x' },
  discord: { webhook_url: `https://discord.com/api/webhooks/1234567890123456789/${'x'.repeat(60)}` },
  telegram: { bot_token: `1234567890:${'x'.repeat(35)}`, chat_id: '@pinewood' },
  teams: { webhook_url: 'https://x.logic.azure.com/workflows/x/triggers/manual/paths/invoke?sig=x' },
  email: { to: ['team@example.com'] },
  http: HTTP_PRESETS.ntfy,
}

const DRAW: Readonly<Record<FormattedTargetType, (message: Message) => string>> = {
  slack: (message) => slackHtml(payloadOf(message)),
  discord: (message) => discordHtml(payloadOf(message)),
  telegram: (message) => telegramHtml(payloadOf(message)),
  teams: (message) => teamsHtml(payloadOf(message)),
  email: mailHtml,
  http: (message) => pushHtml(payloadOf(message)),
}
const FLAGS = /[\u{1F1E6}-\u{1F1FF}]{2} /gu
const TYPES = Object.keys(SETTINGS) as FormattedTargetType[]

function page(make: (type: FormattedTargetType, settings: unknown) => Message): string {
  const sections = TYPES.map((type) => DRAW[type](make(type, TARGETS[type].settings.parse(SETTINGS[type]))))
  return `<!doctype html><meta charset="utf-8"><style>${CSS}</style>${sections.join('').replace(FLAGS, '')}`
}

const ofEvent = (event: MessageEvent) =>
  page((type, settings) => TARGETS[type].message(event, settings, CONTEXT))
const PAGES: Readonly<Record<string, string>> = {
  bug: ofEvent(BUG),
  praise: ofEvent(PRAISE),
  arabic: ofEvent(ARABIC),
  drop: ofEvent(DROP),
  spike: ofEvent(SPIKE),
  recovery: ofEvent(RECOVERY),
  digest: page((type, settings) => TARGETS[type].digest(DIGEST, settings, CONTEXT)),
}

const folder = process.argv[2] ?? '.'
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const view = await browser.newPage({ viewport: { width: 1216, height: 900 } })
  for (const [name, html] of Object.entries(PAGES)) {
    writeFileSync(`${folder}/${name}.html`, html)
    await view.setContent(html)
    await view.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
} finally {
  await browser.close()
}
