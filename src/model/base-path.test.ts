import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basePathOf, belowBasePath } from './base-path.ts'

test('the base path is the path of the public URL, without the slash at its end', () => {
  assert.deepEqual(
    ['https://example.com', 'https://example.com/', 'https://example.com/tools/radar/', ''].map(basePathOf),
    ['', '', '/tools/radar', ''],
  )
})

test('a request below the base path is the same with and without it', () => {
  for (const [given, expected] of [
    ['/radar/apps?q=1', '/apps?q=1'],
    ['/apps?q=1', '/apps?q=1'],
    ['/radar', '/'],
    ['/radar?q=1', '/?q=1'],
    ['/radarx/apps', '/radarx/apps'],
    ['/radar/radar/apps', '/radar/apps'],
    ['*', '*'],
  ] as const)
    assert.equal(belowBasePath(given, '/radar'), expected)
  assert.equal(belowBasePath('/radar/apps', ''), '/radar/apps')
})
