import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hook } from '../../model/hook.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createGuard } from '../../runtime/egress/guard.ts'
import { createSealer } from '../../runtime/seal.ts'
import { hookOf } from '../../storage/conformance/samples.ts'
import {
  changedTarget,
  givenFingerprint,
  newTarget,
  shownSettings,
  type TargetSettings,
  withStoredSecrets,
} from './target.ts'

const sealer = createSealer(Buffer.alloc(32))
const deps = { guard: createGuard({ allowCidrs: [] }), sealer, clock: systemClock, hasMailServer: false }
const TOKEN = '1234567890:AAabcdefghijklmnopqrstuvwxyz0123456789'
const TELEGRAM = { bot_token: TOKEN, chat_id: '-100123' }

function hookWith(targetType: Exclude<Hook['targetType'], 'webhook'>, targetSettings: TargetSettings): Hook {
  const hook = hookOf({ id: 'console-1' })
  return { ...hook, ...newTarget(deps, hook.id, { targetType, targetSettings }) }
}

test('the target of a hook shows settings without secrets', () => {
  const shown = shownSettings(hookWith('telegram', TELEGRAM), sealer)
  assert.deepEqual(shown?.settings, { chat_id: '-100123' })
  assert.equal(shownSettings(hookOf(), sealer), null)
  assert.equal(shownSettings(hookWith('telegram', TELEGRAM), createSealer(Buffer.alloc(32, 1))), null)
})

test('the fingerprint is that of the settings as they are stored', () => {
  const { fingerprint } = shownSettings(hookWith('telegram', { ...TELEGRAM, chat_id: -100123 }), sealer) ?? {}
  assert.equal(
    givenFingerprint('console-1', 'telegram', { chat_id: '-100123', bot_token: ` ${TOKEN} ` }),
    fingerprint,
  )
  assert.notEqual(givenFingerprint('console-1', 'telegram', { ...TELEGRAM, chat_id: '-1' }), fingerprint)
  assert.notEqual(givenFingerprint('console-2', 'telegram', TELEGRAM), fingerprint)
})

test('a secret that is not given stays as it is', () => {
  const hook = hookWith('telegram', TELEGRAM)
  assert.deepEqual(withStoredSecrets(hook, { chat_id: '@other' }, sealer), {
    bot_token: TOKEN,
    chat_id: '@other',
  })
  const body = hookWith('http', { url: 'https://example.com/', headers: { authorization: 'secret' } })
  const merged = withStoredSecrets(body, { body: '{}' }, sealer)
  assert.deepEqual(merged.headers, { authorization: 'secret' })
})

test('no stored secret goes to another address', () => {
  const hook = hookWith('telegram', TELEGRAM)
  const moved = { chat_id: '-100123', api_url: 'https://evil.example' }
  assert.deepEqual(withStoredSecrets(hook, moved, sealer), moved)
  assert.throws(() => changedTarget(deps, hook, { targetSettings: withStoredSecrets(hook, moved, sealer) }), {
    field: 'targetSettings.bot_token',
  })
  const own = hookWith('telegram', { ...TELEGRAM, api_url: 'https://bots.example.com' })
  assert.equal(withStoredSecrets(own, { chat_id: '1' }, sealer).bot_token, undefined)
  const template = hookWith('http', { url: 'https://example.com/', headers: { authorization: 'secret' } })
  assert.deepEqual(withStoredSecrets(template, { url: 'https://evil.example/' }, sealer), {
    url: 'https://evil.example/',
  })
})

test('mail needs a mail server', () => {
  const targetSettings = { to: ['team@example.com'] }
  assert.throws(() => newTarget(deps, 'console-1', { targetType: 'email', targetSettings }), {
    field: 'targetType',
    message: /this installation has no mail server\. The operator sets RADAR_SMTP_URL/,
  })
  const target = newTarget({ ...deps, hasMailServer: true }, 'console-1', {
    targetType: 'email',
    targetSettings,
  })
  assert.equal(target.targetUrl, 'mailto:team@example.com')
})

test('a caller may send back the shown URL, but no other one', () => {
  const hook = hookWith('telegram', TELEGRAM)
  assert.equal(changedTarget(deps, hook, { targetUrl: hook.targetUrl }), undefined)
  assert.equal(
    changedTarget(deps, hook, { targetSettings: TELEGRAM }),
    undefined,
    'equal settings change nothing',
  )
  assert.throws(() => changedTarget(deps, hook, { targetUrl: 'https://example.com/' }), {
    field: 'targetUrl',
  })
})
