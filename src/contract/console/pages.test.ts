import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONSOLE_PAGES, isConsolePage } from './pages.ts'

test("the table has exactly the pages of the console's router", () => {
  const router = readFileSync(new URL('../../../console/routes.tsx', import.meta.url), 'utf8')
  const routed = [...router.matchAll(/^\s*path: '([^']*)'/gm)].map(([, path]) => path)
  assert.ok(routed.length > 10, 'no paths found in the router')
  assert.deepEqual([...CONSOLE_PAGES].sort(), routed.sort())
})

test('a page matches by segments, with one non-empty segment per parameter', () => {
  for (const path of [
    '/',
    '/apps',
    '/apps/',
    '/apps/google/com.example',
    '/apps/x/a%2Fb',
    '/apps/x/y/feeds',
    '/account/alerts',
    '/accept/t',
  ]) {
    assert.equal(isConsolePage(path), true, path)
  }
  for (const path of [
    '/.env',
    '/openapi.yaml',
    '/API/v1/hooks',
    '/apps/google',
    '/apps/google/x/y/z',
    '/apps//x',
    '/accept//',
    '/accept',
    '//',
    '/wp-login.php',
  ]) {
    assert.equal(isConsolePage(path), false, path)
  }
})
