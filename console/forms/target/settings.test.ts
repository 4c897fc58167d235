import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingFields, PRESETS, settingsOf, valuesOf } from './settings.ts'

test('settings are what the service expects, without empty fields', () => {
  assert.deepEqual(settingsOf('email', { to: ' a@example.com, b@example.com\nc@example.com ' }), {
    to: ['a@example.com', 'b@example.com', 'c@example.com'],
  })
  const telegram = { bot_token: '1:A', chat_id: ' @reviews ', message_thread_id: '7', silent: true }
  const topic = { ...telegram, chat_id: '@reviews', message_thread_id: 7 }
  assert.deepEqual(settingsOf('telegram', telegram), topic)
  assert.deepEqual(settingsOf('discord', { webhook_url: 'https://x', thread_id: ' ' }), {
    webhook_url: 'https://x',
  })
  assert.deepEqual(settingsOf('http', { url: 'https://x', headers: 'a: b:c\n\nx-y:z' }), {
    url: 'https://x',
    headers: { a: 'b:c', 'x-y': 'z' },
  })
})

test('shown settings become the same settings again', () => {
  for (const settings of [
    { to: ['a@example.com'] },
    { chat_id: '-1', silent: false, message_thread_id: 3 },
  ]) {
    const type = 'to' in settings ? 'email' : 'telegram'
    assert.deepEqual(settingsOf(type, valuesOf(settings)), settings)
  }
  assert.equal(PRESETS[0]?.values.headers, 'content-type: application/json')
})

test('an empty required field is missing, except a secret that stays', () => {
  assert.deepEqual(missingFields('telegram', { chat_id: '' }, false), ['bot_token', 'chat_id'])
  assert.deepEqual(missingFields('telegram', { chat_id: '1' }, true), [])
  assert.deepEqual(missingFields('email', {}, true), ['to'])
})
