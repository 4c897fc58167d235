import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Watch } from '../../model/hook.ts'
import { EVERY_REVIEW } from '../../storage/conformance/samples.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'
import { sentenceOf } from './watch-view.ts'

const WATCH = {
  store: 'apple',
  appId: '1',
  ...EVERY_REVIEW,
  createdAt: new Date(0),
} as unknown as Watch

const NOTES: WatchedApp = { store: 'apple', appId: '1', storefront: 'us', name: 'Notes', isConnected: false }

test('the sentence of a watch names the store of an app that the account has in both stores under one name', () => {
  assert.equal(sentenceOf(WATCH, [NOTES]), 'New reviews of Notes in the United States.')
  const both: WatchedApp[] = [NOTES, { ...NOTES, store: 'google', appId: 'com.example.notes' }]
  assert.equal(sentenceOf(WATCH, both), 'New reviews of Notes (App Store) in the United States.')
})

test('the sentence of a watch of a connected app says that its reviews come from every country', () => {
  const connected: WatchedApp[] = [{ ...NOTES, isConnected: true }]
  assert.equal(sentenceOf(WATCH, connected), 'New reviews of Notes in every country.')
  assert.equal(sentenceOf({ ...WATCH, storefronts: ['de'] }, connected), 'New reviews of Notes in Germany.')
  const drop: Watch = { ...WATCH, eventType: 'rating.dropped', deltaMicros: 100_000 }
  assert.equal(
    sentenceOf(drop, connected),
    'When the rating of Notes in the United States falls by 0.1 or more.',
  )
})
