import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEngineRuns } from './engine-platform.ts'

test('the language engine is refused on Linux without glibc, with what to do', () => {
  assert.throws(() => checkEngineRuns('linux', null), {
    name: 'StartupError',
    message: /requires glibc.*musl.*set RADAR_ENRICHMENT=off/,
  })
})

test('the language engine is accepted with glibc, and on other systems', () => {
  checkEngineRuns('linux', '2.36')
  checkEngineRuns('darwin', null)
  checkEngineRuns()
})
