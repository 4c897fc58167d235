import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEW_SUBSCRIPTION } from './subscription.ts'
import { subscriptionOfView } from './view-subscription.ts'

test('a subscription takes the filters of a view that it can express', () => {
  const { subscription, dropped } = subscriptionOfView({
    ...{ store: 'apple', app_id: '1', stars: '2,1', country: 'de', language: 'de', theme: 'sync' },
    ...{ sentiment: 'negative', severity: 'high', is_bug_report: 'true', is_feature_request: 'false' },
    app_version: '4.2',
  })
  assert.deepEqual(subscription, {
    ...NEW_SUBSCRIPTION,
    apps: [{ store: 'apple', app_id: '1' }],
    ...{ min_stars: 1, max_stars: 2, countries: ['de'], languages: ['de'], themes: ['sync'] },
    ...{ sentiments: ['negative'], severities: ['high'], is_bug_report: true, is_feature_request: false },
    app_versions: ['4.2'],
  })
  assert.deepEqual(dropped, [])
})

test('a subscription of a view without an app covers all apps, and names the filters that it lacks', () => {
  const { subscription, dropped } = subscriptionOfView({
    ...{
      store: 'google',
      stars: '1,5',
      feature_slug: 'dark_mode',
      text: 'crash',
      since: '2026-01-01T00:00:00Z',
    },
    ...{ status: 'new', assignee: 'me', tag: 'vip' },
  })
  assert.deepEqual(subscription, { ...NEW_SUBSCRIPTION, scope: 'all' })
  const names = ['store', 'stars', 'feature_slug', 'text', 'since', 'status', 'assignee', 'tag']
  assert.deepEqual(dropped, names)
})
