import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertDigestCounts, bodyOf, permanentReason } from '../../../../test/support/chat/checks.ts'
import { assertHarmless } from '../../../../test/support/chat/harmless.ts'
import {
  CONSOLE_URL,
  contextWith,
  dropWith,
  reviewWith,
  STORE_URL,
} from '../../../../test/support/chat/message-events.ts'
import { seenInSlack, slackProblemOf } from '../../../../test/support/chat/slack-rules.ts'
import type { DigestItem, Message, MessageEvent } from '../target.ts'
import { slack } from './slack.ts'

const SETTINGS = { webhook_url: 'https://hooks.slack.com/services/T024/B045/secretSecretSecret' }

function accepted(message: Message) {
  const payload: unknown = JSON.parse(bodyOf(message))
  assert.equal(slackProblemOf(payload), null)
  return seenInSlack(payload)
}

function message(event: MessageEvent, context = contextWith()) {
  return slack.message(event, SETTINGS, context)
}

test('a Slack message shows stars, words, facts, origin and links of a review', () => {
  const { text, links } = accepted(message(reviewWith()))
  for (const part of [
    '★★★☆☆ Great until the last update',
    'since 4.2 it closes itself',
    'Mixed · Bug, high severity · Request: Dark mode · Crashes · Broken by an update · Design and usability',
    'Notes & Lists · App Store · 🇺🇸 US · Version 4.2.0 · Sample Reviewer · 15 Jan 2026',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.deepEqual(links, [CONSOLE_URL, STORE_URL])
  assert.ok(!text.includes('In English'))
})

test('a Slack message shows the English summary of a review in another language', () => {
  const { text } = accepted(
    message(reviewWith({ body: 'Stürzt ab.' }, { language: 'de', summary_en: 'It crashes.' })),
  )
  assert.match(text, /Stürzt ab\. .*In English: It crashes\./)
})

test('a Slack message shows a review without title, author, version, enrichment and links', () => {
  const event = reviewWith({ title: null, body: '', author: null, app_version: null, enrichment: null })
  const { text, links } = accepted(
    message(event, contextWith({ appName: null, storeUrl: null, consoleUrl: null })),
  )
  assert.match(text, /★★★☆☆ .*123456789 · App Store · 🇺🇸 US · 15 Jan 2026/)
  assert.deepEqual(links, [])
})

test('a Slack message shows values, storefront, count and rule of a rating drop', () => {
  const { text } = accepted(message(dropWith({ previous_rating: 4.32, current_rating: 4.1, delta: -0.22 })))
  assert.ok(text.includes('Rating drop: 4.32 → 4.10 · US'))
  assert.ok(text.includes('Fell by 0.22 · 12,873 ratings'))
  const below = message(dropWith({ trigger: 'threshold', threshold: 4.5 }))
  assert.ok(accepted(below).text.includes('Below 4.5'))
})

test('a Slack message shows as many decimal places as the drop needs', () => {
  const event = dropWith({ previous_rating: 4.32101, current_rating: 4.32098, delta: -0.00003 })
  assert.ok(accepted(message(event)).text.includes('4.32101 → 4.32098'))
})

test('hostile texts stay text: no link, mention or format, and within the limits', () => {
  assertHarmless(slack, SETTINGS, accepted)
})

test('a digest shows the events and counts those that do not fit', () => {
  const item = (event: MessageEvent): DigestItem => ({ event, context: contextWith() })
  const few = accepted(
    slack.digest([item(reviewWith({ rating: 1 })), item(dropWith())], SETTINGS, contextWith()),
  )
  assert.match(few.text, /1 new review, 1 star · 1 rating drop/)
  assert.ok(!few.text.includes('more'))
  const many = assertDigestCounts(slack, SETTINGS, accepted, { count: 1_500, shownMin: 15 })
  assert.ok(many.includes('1,500 new reviews, 3.0 stars on average'))
})

test('a Slack target accepts URLs of incoming webhooks and explains others without quoting them', () => {
  assert.deepEqual(slack.settings.parse({ webhook_url: ` ${SETTINGS.webhook_url} ` }), SETTINGS)
  for (const webhook_url of [
    'https://discord.com/api/webhooks/1/secret',
    'https://hooks.slack.com/triggers/T/1/secret',
    'ftp://hooks.slack.com/services/T/B/secret',
    'https://u:p@hooks.slack.com/services/T/B/secret',
    'secret',
    7,
    null,
  ]) {
    const error = slack.settings.safeParse({ webhook_url }).error
    assert.match(
      error?.issues[0]?.message ?? '',
      /^webhook_url (must be|is required: it must be) the URL of an incoming webhook/,
    )
    assert.ok(!error?.message.includes('secret'))
  }
})

test('a Slack target shows the workspace of a webhook, but not its secret', () => {
  assert.equal(slack.shownUrl(SETTINGS), 'https://hooks.slack.com/services/T024/…/…')
})

test('a Slack target names permanent failures, waits for rate limits and leaves the rest to the general rules', () => {
  const failure = (status: number, body: string, headers = {}) => slack.failureOf({ status, body, headers })
  const reasonOf = (status: number, body: string) => {
    return permanentReason(failure(status, body))
  }
  assert.equal(reasonOf(404, 'channel_not_found'), 'channel_gone')
  assert.equal(reasonOf(410, 'channel_is_archived'), 'channel_gone')
  assert.equal(reasonOf(404, 'no_service'), 'access_revoked')
  assert.equal(reasonOf(403, 'invalid_token'), 'access_revoked')
  assert.equal(reasonOf(403, 'action_prohibited'), 'posting_forbidden')
  assert.equal(reasonOf(400, 'invalid_blocks: {"x":1}'), 'message_rejected')
  assert.equal(reasonOf(410, '<html>'), 'access_revoked')
  assert.deepEqual(failure(429, 'rate_limited', { 'retry-after': '30' }), { kind: 'wait', afterMs: 30_000 })
  assert.equal(failure(500, 'channel_not_found'), null)
  assert.equal(failure(400, 'constructor'), null)
})
