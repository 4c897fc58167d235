import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertDigestCounts, bodyOf, permanentReason } from '../../../../test/support/chat/checks.ts'
import { discordErrorsOf, seenInDiscord } from '../../../../test/support/chat/discord-rules.ts'
import { assertHarmless } from '../../../../test/support/chat/harmless.ts'
import {
  CONSOLE_URL,
  contextWith,
  dropWith,
  reviewWith,
  STORE_URL,
} from '../../../../test/support/chat/message-events.ts'
import type { Message } from '../target.ts'
import { discord } from './discord.ts'

const SETTINGS = {
  webhook_url: `https://discord.com/api/webhooks/1234567890123456789/${'secret-Secret_'.repeat(5)}`,
}

function accepted(message: Message) {
  const payload: unknown = JSON.parse(bodyOf(message))
  assert.deepEqual(discordErrorsOf(payload), {})
  return seenInDiscord(payload)
}

test('a Discord message shows stars, words, facts, origin and links of a review', () => {
  const { text, links } = accepted(discord.message(reviewWith(), SETTINGS, contextWith()))
  for (const part of [
    '★★★☆☆ Great until the last update\n',
    'since 4.2 it closes itself',
    'Mixed · Bug, high severity · Request: Dark mode · Crashes',
    'Notes & Lists · App Store · 🇺🇸 US · Version 4.2.0 · Sample Reviewer · 15 Jan 2026',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.deepEqual(links, [CONSOLE_URL, STORE_URL])
})

test('a Discord message shows the English summary of a review in another language, and rating drops', () => {
  const review = reviewWith({}, { language: 'de', summary_en: 'It crashes.' })
  assert.deepEqual(accepted(discord.message(review, SETTINGS, contextWith())).styled, [
    '★★★☆☆ Great until the last update',
    'In English: It crashes.',
  ])
  const drop = accepted(discord.message(dropWith(), SETTINGS, contextWith()))
  assert.match(drop.text, /Rating drop: 4\.50 → 4\.40 · US\n\nFell by 0\.10 · 12,873 ratings/)
})

test('hostile texts stay text: no link, mention or format, and within the limits', () => {
  assertHarmless(discord, SETTINGS, accepted)
})

test('a digest shows the events and counts those that do not fit', () => {
  assertDigestCounts(discord, SETTINGS, accepted, { count: 100, shownMin: 8 })
})

test('a Discord request waits for the saved message, in the given thread', () => {
  const message = discord.message(reviewWith(), { ...SETTINGS, thread_id: '1234567890123456' }, contextWith())
  assert.ok(message.kind === 'http')
  assert.equal(message.url, `${SETTINGS.webhook_url}?wait=true&thread_id=1234567890123456`)
})

test('a Discord target accepts URLs of webhooks and explains others without quoting them', () => {
  assert.ok(discord.settings.safeParse(SETTINGS).success)
  for (const webhook_url of [
    'https://hooks.slack.com/services/T/B/secret',
    'https://discord.com/api/webhooks/1/secret',
    '',
  ]) {
    const error = discord.settings.safeParse({ webhook_url }).error
    assert.match(
      error?.issues[0]?.message ?? '',
      /^webhook_url must be the URL of a webhook, such as https:\/\/discord/,
    )
    assert.ok(!error?.message.includes('secret'))
  }
  const error = discord.settings.safeParse({ ...SETTINGS, thread_id: 'general' }).error
  assert.match(error?.issues[0]?.message ?? '', /^thread_id must be the id of a thread/)
})

test('a Discord target shows the id of a webhook, but not its secret', () => {
  assert.equal(discord.shownUrl(SETTINGS), 'https://discord.com/api/webhooks/1234567890123456789/…')
})

test('a Discord target names permanent failures, waits for rate limits and leaves the rest to the general rules', () => {
  const failure = (status: number, body: object | string, headers = {}) =>
    discord.failureOf({ status, body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  const reasonOf = (status: number, code: number) => {
    return permanentReason(failure(status, { message: '…', code }))
  }
  assert.equal(reasonOf(404, 10_015), 'channel_gone')
  assert.equal(reasonOf(404, 10_003), 'channel_gone')
  assert.equal(reasonOf(401, 50_027), 'access_revoked')
  assert.equal(reasonOf(403, 50_013), 'posting_forbidden')
  assert.equal(reasonOf(400, 50_035), 'message_rejected')
  assert.equal(reasonOf(400, 220_001), 'message_rejected')
  assert.deepEqual(failure(429, { retry_after: 0.65, global: false }), { kind: 'wait', afterMs: 650 })
  assert.deepEqual(failure(429, '<html>', { 'retry-after': '12' }), { kind: 'wait', afterMs: 12_000 })
  assert.equal(failure(500, { code: 10_015 }), null)
  assert.equal(failure(400, 'null'), null)
})
