import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverySearch, parseSearch, reviewSearch } from './search.ts'

test('a link with former names of filters shows the same list', () => {
  const reviews = '?appId=1&storefront=de&bug=true&request=false&version=4.2&feature=dark-mode&stars=1,2'
  assert.deepEqual(reviewSearch.parse(parseSearch(reviews)), {
    app_id: '1',
    country: 'de',
    is_bug_report: 'true',
    is_feature_request: 'false',
    app_version: '4.2',
    feature_slug: 'dark-mode',
    stars: '1,2',
  })
  const deliveries = '?destination=api-1&eventType=review.created&status=waiting'
  assert.deepEqual(deliverySearch.parse(parseSearch(deliveries)), {
    hook_id: 'api-1',
    event_type: 'review.created',
    status: 'pending',
  })
})
