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
import { seenInTeams, teamsProblemOf } from '../../../../test/support/chat/teams-rules.ts'
import type { Message } from '../target.ts'
import { teams } from './teams.ts'

const SETTINGS = {
  webhook_url:
    'https://prod-12.westeurope.logic.azure.com:443/workflows/0123456789abcdef/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=secret',
}

function accepted(message: Message) {
  const body = bodyOf(message)
  assert.equal(teamsProblemOf(body), null)
  return seenInTeams(body)
}

test('a Teams message shows stars, words, facts, origin and links of a review', () => {
  const { text, links } = accepted(teams.message(reviewWith(), SETTINGS, contextWith()))
  assert.match(text, /^★★★☆☆ Great until the last update\nI use this every day.*\nMixed · Bug, high severity/)
  assert.match(
    text,
    /\nNotes & Lists · App Store · 🇺🇸 US · Version 4\.2\.0 · Sample Reviewer · 15 Jan 2026\n$/,
  )
  assert.deepEqual(links, [CONSOLE_URL, STORE_URL])
})

test('a Teams message shows each paragraph in a block of its own', () => {
  const { text } = accepted(
    teams.message(reviewWith({ body: 'One.\n\nTwo.\nThree.' }), SETTINGS, contextWith()),
  )
  assert.ok(text.includes('\nOne.\nTwo.\nThree.\n'))
  accepted(teams.message(reviewWith({ body: 'line\n'.repeat(5_000) }), SETTINGS, contextWith()))
})

test('a Teams message shows the English summary of a review in another language, and rating drops', () => {
  assertSummaryAndDrop(teams, SETTINGS, accepted)
})

test('hostile texts stay text: no link, mention or format, and within the limits', () => {
  assertHarmless(teams, SETTINGS, accepted)
})

test('a digest shows the events and counts those that do not fit', () => {
  assertDigestCounts(teams, SETTINGS, accepted, { count: 100, shownMin: 15 })
})

test('a Teams target accepts URLs of workflows and explains others without quoting them', () => {
  const environment =
    'https://default0123.4.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/0123/triggers/manual/paths/invoke?api-version=1&sig=secret'
  for (const webhook_url of [SETTINGS.webhook_url, environment])
    assert.ok(teams.settings.safeParse({ webhook_url }).success)
  for (const webhook_url of [
    'https://example.webhook.office.com/webhookb2/secret/IncomingWebhook/x/y',
    SETTINGS.webhook_url.replace('&sig=secret', ''),
  ]) {
    const error = teams.settings.safeParse({ webhook_url }).error
    assert.match(error?.issues[0]?.message ?? '', /^webhook_url must be the URL of a workflow/)
    assert.ok(!error?.message.includes('secret'))
  }
})

test('a Teams target shows the host and the beginning of the workflow id, but not its signature', () => {
  assert.equal(teams.shownUrl(SETTINGS), 'https://prod-12.westeurope.logic.azure.com/…/workflows/01234567…')
})

test('a Teams target names permanent failures, waits for rate limits and leaves the rest to the general rules', () => {
  const failure = (status: number, code: string, headers = {}) =>
    teams.failureOf({ status, body: JSON.stringify({ error: { code, message: '…' } }), headers })
  const reasonOf = (status: number, code: string) => {
    return permanentReason(failure(status, code))
  }
  assert.equal(reasonOf(404, 'WorkflowNotFound'), 'channel_gone')
  assert.equal(reasonOf(400, 'WorkflowTriggerIsNotEnabled'), 'posting_forbidden')
  assert.equal(reasonOf(401, 'DirectApiAuthorizationRequired'), 'posting_forbidden')
  assert.equal(reasonOf(403, 'AuthorizationFailed'), 'access_revoked')
  assert.equal(reasonOf(401, 'SomethingNew'), 'access_revoked')
  assert.equal(reasonOf(400, 'TriggerInputSchemaMismatch'), 'message_rejected')
  assert.deepEqual(failure(429, 'TooManyRequests', { 'retry-after': '60' }), {
    kind: 'wait',
    afterMs: 60_000,
  })
  assert.equal(failure(502, 'NoResponse'), null)
  assert.equal(failure(400, 'SomethingNew'), null)
})
