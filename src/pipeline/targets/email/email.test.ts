import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertDigestCounts, permanentReason } from '../../../../test/support/chat/checks.ts'
import { assertHarmless } from '../../../../test/support/chat/harmless.ts'
import { mailProblemOf, seenInMail } from '../../../../test/support/chat/mail-rules.ts'
import {
  CONSOLE_URL,
  contextWith,
  dropWith,
  reviewWith,
  STORE_URL,
} from '../../../../test/support/chat/message-events.ts'
import type { MailMessage, Message } from '../target.ts'
import { email } from './email.ts'

const SETTINGS = { to: ['team@example.com', 'lead@example.com'] }
const UNSUBSCRIBE_URL = 'https://radar.example.com/unsubscribe/abc'

function mailOf(message: Message): MailMessage {
  assert.ok(message.kind === 'mail')
  assert.equal(mailProblemOf(message), null)
  return message
}

function accepted(message: Message) {
  return seenInMail(mailOf(message))
}

test('an e-mail shows stars, words, facts, origin and links of a review as HTML and as text', () => {
  const mail = mailOf(email.message(reviewWith(), SETTINGS, contextWith()))
  assert.equal(mail.subject, '★★★☆☆ Great until the last update · Notes & Lists')
  assert.deepEqual(mail.to, SETTINGS.to)
  assert.equal(
    mail.text,
    `★★★☆☆ Great until the last update
> I use this every day and love it, but since 4.2 it closes itself when I open a shared list. Dark mode would be nice too.
Mixed · Bug, high severity · Request: Dark mode · Crashes · Broken by an update · Design and usability
Notes & Lists · App Store · 🇺🇸 US · Version 4.2.0 · Sample Reviewer · 15 Jan 2026
Open in Review Radar: ${CONSOLE_URL}
Open in the App Store: ${STORE_URL}
`,
  )
  const { text, links } = seenInMail(mail)
  assert.ok(text.includes('since 4.2 it closes itself'))
  assert.deepEqual(links, [CONSOLE_URL, STORE_URL])
})

test('an e-mail shows the English summary of a review in another language, and rating drops', () => {
  const review = reviewWith({}, { language: 'de', summary_en: 'It crashes.' })
  assert.ok(accepted(email.message(review, SETTINGS, contextWith())).text.includes('In English: It crashes.'))
  const drop = mailOf(email.message(dropWith(), SETTINGS, contextWith()))
  assert.equal(drop.subject, 'Rating drop: 4.50 → 4.40 · US · Notes & Lists')
})

test('hostile texts stay text: no link, element or header, and within the limits', () => {
  assertHarmless(email, SETTINGS, accepted)
})

test('an e-mail offers to unsubscribe by one click where the page has https', () => {
  const headersWith = (unsubscribeUrl: string | null) =>
    mailOf(email.message(reviewWith(), SETTINGS, contextWith({ unsubscribeUrl }))).headers
  assert.deepEqual(headersWith(UNSUBSCRIBE_URL), {
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': `<${UNSUBSCRIBE_URL}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  assert.ok(!('list-unsubscribe-post' in headersWith('http://radar.example.com/unsubscribe/abc')))
  assert.ok(!('list-unsubscribe' in headersWith(null)))
  const mail = mailOf(email.message(reviewWith(), SETTINGS, contextWith({ unsubscribeUrl: UNSUBSCRIBE_URL })))
  assert.ok(mail.text.endsWith(`Unsubscribe: ${UNSUBSCRIBE_URL}\n`))
  assert.ok(seenInMail(mail).links.includes(UNSUBSCRIBE_URL))
})

test('a digest shows the events and counts those that do not fit', () => {
  assertDigestCounts(email, SETTINGS, mailOf, { count: 500, shownMin: 15 })
  const many = Array(500).fill({ event: reviewWith(), context: contextWith() })
  assert.equal(
    mailOf(email.digest(many, SETTINGS, contextWith())).subject,
    '500 new reviews, 3.0 stars on average',
  )
})

test('an e-mail target accepts plain addresses, each once, and explains others', () => {
  const parse = (to: unknown) => email.settings.safeParse({ to })
  assert.deepEqual(parse([' a.b+c@mail.example.com ', 'a.b+c@mail.example.com']).data, {
    to: ['a.b+c@mail.example.com'],
  })
  assert.deepEqual(parse(['post@b\u00fccher.example', 'post@xn--e1afmkfd.xn--p1ai']).data, {
    to: ['post@xn--bcher-kva.example', 'post@xn--e1afmkfd.xn--p1ai'],
  })
  for (const bad of [
    'team',
    'p\u00f6st@example.com',
    'post@b\u00fc cher.example',
    'post@192.0.2.7',
    'a@b',
    'Team <a@example.com>',
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: c@d.ee',
    '"a b"@example.com',
  ])
    assert.match(parse([bad]).error?.issues[0]?.message ?? '', /^to must be a list of mail addresses such as/)
  assert.match(
    parse([]).error?.issues[0]?.message ?? '',
    /^to must be a list of 1 to 20 mail addresses, not \[\]\.$/,
  )
  assert.match(parse(undefined).error?.issues[0]?.message ?? '', /^to is required/)
})

test('each recipient gets a message of their own; case does not make another recipient', () => {
  const recipients = email.recipients?.({ to: ['lead@example.com', 'team@example.com', 'Lead@example.com'] })
  assert.deepEqual(
    recipients?.map(({ settings }) => settings.to),
    [['Lead@example.com'], ['team@example.com']],
  )
})

test('an e-mail target shows the first recipient', () => {
  assert.equal(email.shownUrl(SETTINGS), 'mailto:team@example.com')
})

test('an e-mail target names permanent failures and leaves the rest to the general rules', () => {
  const reasonOf = (status: number, body: string) => {
    return permanentReason(email.failureOf({ status, body, headers: {} }))
  }
  assert.equal(
    reasonOf(550, '5.1.1 The email account that you tried to reach does not exist'),
    'channel_gone',
  )
  assert.equal(reasonOf(550, 'No such user here'), 'channel_gone')
  assert.equal(reasonOf(552, '5.3.4 Message too big'), 'message_rejected')
  assert.equal(reasonOf(550, '5.7.1 Rejected as spam'), 'posting_forbidden')
  assert.equal(reasonOf(535, '5.7.8 Authentication failed'), null)
  assert.equal(reasonOf(452, '4.2.2 Mailbox full'), null)
  assert.equal(reasonOf(554, 'Transaction failed'), null)
})
