import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertDigestCounts,
  assertSummaryAndDrop,
  bodyOf,
  permanentReason,
} from '../../../../test/support/chat/checks.ts'
import { assertHarmless } from '../../../../test/support/chat/harmless.ts'
import {
  CONSOLE_URL,
  contextWith,
  reviewWith,
  STORE_URL,
} from '../../../../test/support/chat/message-events.ts'
import { seenInTelegram, telegramProblemOf } from '../../../../test/support/chat/telegram-rules.ts'
import type { Message } from '../target.ts'
import { telegram } from './telegram.ts'

const TOKEN = `1234567890:AA${'secret-Secret_'.repeat(3)}`.slice(0, 46)
const SETTINGS = telegram.settings.parse({ bot_token: TOKEN, chat_id: -1001234567890 })

function payloadOf(message: Message): Record<string, unknown> {
  return JSON.parse(bodyOf(message))
}

function accepted(message: Message) {
  const payload = payloadOf(message)
  assert.equal(telegramProblemOf(payload), null)
  return seenInTelegram(payload)
}

test('a Telegram message shows stars, words, facts, origin and buttons of a review', () => {
  const { text, links, styled } = accepted(telegram.message(reviewWith(), SETTINGS, contextWith()))
  assert.match(text, /^★★★☆☆ Great until the last update\nI use this every day.*\nMixed · Bug, high severity/)
  assert.match(text, /\nNotes & Lists · App Store · 🇺🇸 US · Version 4\.2\.0 · Sample Reviewer · 15 Jan 2026$/)
  assert.equal(styled[0], '★★★☆☆ Great until the last update')
  assert.deepEqual(links, [CONSOLE_URL, STORE_URL])
})

test('a Telegram message shows the English summary of a review in another language, and rating drops', () => {
  assertSummaryAndDrop(telegram, SETTINGS, accepted)
})

test('hostile texts stay text: no link, mention or format, and within the limits', () => {
  assertHarmless(telegram, SETTINGS, accepted)
})

test('a Telegram message has no button for a console that Telegram cannot link to', () => {
  const context = contextWith({ consoleUrl: 'http://localhost:8080/reviews' })
  assert.deepEqual(accepted(telegram.message(reviewWith(), SETTINGS, context)).links, [STORE_URL])
})

test('a Telegram message folds long reviews', () => {
  const { entities } = payloadOf(
    telegram.message(reviewWith({ body: 'word '.repeat(300) }), SETTINGS, contextWith()),
  )
  assert.ok(JSON.stringify(entities).includes('expandable_blockquote'))
})

test('a digest shows the events and counts those that do not fit', () => {
  assertDigestCounts(telegram, SETTINGS, accepted, { count: 100, shownMin: 8 })
})

test('a Telegram message goes to the chat and topic by the bot', () => {
  const message = telegram.message(
    reviewWith(),
    { ...SETTINGS, message_thread_id: 7, silent: true },
    contextWith(),
  )
  assert.ok(message.kind === 'http')
  assert.equal(message.url, `https://api.telegram.org/bot${TOKEN}/sendMessage`)
  const { chat_id, message_thread_id, disable_notification } = payloadOf(message)
  assert.deepEqual([chat_id, message_thread_id, disable_notification], ['-1001234567890', 7, true])
})

test('a Telegram target accepts chats by number and name, and explains other settings without quoting the token', () => {
  const problemOf = (changes: object) =>
    telegram.settings.safeParse({ bot_token: TOKEN, chat_id: '@reviews', ...changes }).error?.issues[0]
      ?.message
  assert.equal(problemOf({}), undefined)
  assert.match(problemOf({ bot_token: 'secret' }) ?? '', /^bot_token must be the token that @BotFather shows/)
  assert.ok(!problemOf({ bot_token: 'secret' })?.includes('secret'))
  assert.match(problemOf({ chat_id: 'my chat' }) ?? '', /^chat_id must be the number of a chat[^"]*\.$/)
  assert.match(problemOf({ chat_id: undefined }) ?? '', /^chat_id is required/)
  assert.match(problemOf({ message_thread_id: 0 }) ?? '', /^message_thread_id must be the number of a topic/)
  assert.match(
    problemOf({ api_url: 'https://example.com/x' }) ?? '',
    /^api_url must be the URL of a Bot API server/,
  )
})

test('a Telegram target shows the chat, but not the token', () => {
  assert.equal(telegram.shownUrl(SETTINGS), 'https://api.telegram.org/chat/-1001234567890')
})

test('a Telegram target names permanent failures, waits for rate limits and leaves the rest to the general rules', () => {
  const failure = (status: number, description: string, parameters = {}) =>
    telegram.failureOf({
      status,
      body: JSON.stringify({ ok: false, error_code: status, description, parameters }),
      headers: {},
    })
  const reasonOf = (status: number, description: string) => {
    return permanentReason(failure(status, description))
  }
  assert.equal(reasonOf(401, 'Unauthorized'), 'access_revoked')
  assert.equal(reasonOf(404, 'Not Found'), 'access_revoked')
  assert.equal(reasonOf(403, 'Forbidden: bot was blocked by the user'), 'posting_forbidden')
  assert.equal(reasonOf(403, 'Forbidden: bot was kicked from the supergroup chat'), 'posting_forbidden')
  assert.equal(
    reasonOf(400, 'Bad Request: not enough rights to send text messages to the chat'),
    'posting_forbidden',
  )
  assert.equal(reasonOf(400, 'Bad Request: chat not found'), 'channel_gone')
  assert.equal(reasonOf(403, 'Forbidden: the group chat was deleted'), 'channel_gone')
  assert.equal(reasonOf(400, 'Bad Request: message thread not found'), 'channel_gone')
  assert.equal(reasonOf(400, "Bad Request: can't parse entities: …"), 'message_rejected')
  assert.equal(reasonOf(400, "Bad Request: inline keyboard button URL 'x' is invalid: …"), 'message_rejected')
  assert.equal(reasonOf(400, 'Bad Request: ENTITY_BOUNDS_INVALID'), 'message_rejected')
  const upgraded = 'Bad Request: group chat was upgraded to a supergroup chat'
  assert.deepEqual(failure(400, upgraded, { migrate_to_chat_id: -1009 }), {
    kind: 'permanent',
    reason: 'channel_gone',
    detail: 'The group became a supergroup. Set chat_id to -1009.',
  })
  assert.deepEqual(failure(429, 'Too Many Requests: retry after 5', { retry_after: 5 }), {
    kind: 'wait',
    afterMs: 5_000,
  })
  assert.equal(failure(502, 'Bad Gateway'), null)
  assert.equal(failure(400, 'Bad Request: something new'), null)
})
