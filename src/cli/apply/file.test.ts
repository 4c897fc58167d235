import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWanted } from './file.ts'

test('fields of a file that begin with x- hold anchors at any place, but not in target settings', () => {
  const { hooks } = readWanted(
    'radar.yaml',
    `
x-watch: &watch { store: apple, app_id: 1, event_type: review.created }
hooks:
  - external_ref: anchored
    x-owner: mobile team
    target_url: https://example.com/hook
    watches: [{ <<: *watch, max_stars: 2, x-why: bad ones }]
  - external_ref: chat
    target_type: http
    target_settings: { url: "https://example.com/", headers: { x-api-key: secret } }
    watches: [*watch]
`,
  )
  const watch = { store: 'apple', app_id: '1', event_type: 'review.created' }
  assert.deepEqual(
    hooks?.map(({ watches }) => watches),
    [[{ ...watch, max_stars: 2 }], [watch]],
  )
  assert.deepEqual(hooks?.[1]?.target_settings, {
    url: 'https://example.com/',
    headers: { 'x-api-key': 'secret' },
  })
  assert.throws(() => readWanted('radar.yaml', 'hook: []'), /"hook" is not a field here/)
})
