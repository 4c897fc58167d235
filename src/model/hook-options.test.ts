import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_HOOK_OPTIONS, givenOptions, optionsOf } from './hook-options.ts'

test('null and absent options are not given, and false is', () => {
  assert.deepEqual(givenOptions({}), {})
  assert.deepEqual(givenOptions({ cloudEvents: null, redirect: 'accept' }), { redirect: 'accept' })
  assert.deepEqual(givenOptions({ cloudEvents: false }), { cloudEvents: false })
})

test('the options of a hook have no other value of the hook', () => {
  const hook = { ...DEFAULT_HOOK_OPTIONS, cloudEvents: true, name: 'Support' }
  assert.deepEqual(optionsOf(hook), { ...DEFAULT_HOOK_OPTIONS, cloudEvents: true })
})
