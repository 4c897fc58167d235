import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrichment, reviewOccurrence } from '../../../test/support/occurrences.ts'
import type { Enrichment } from '../../model/enrichment.ts'
import type { WatchRules } from '../../model/hook.ts'
import type { EnrichedReview } from '../../model/review.ts'
import { passes as passesReview } from './review-rules.ts'

const passes = (rules: WatchRules, of: Enrichment | null, change: Partial<EnrichedReview> = {}) =>
  passesReview(rules, reviewOccurrence({ review: { ...change, enrichment: of } }).review)

test('rules filter by the enrichment of a review', () => {
  assert.equal(passes({ languages: ['en', 'de'] }, enrichment), true)
  assert.equal(passes({ languages: ['de'] }, enrichment), false)
  assert.equal(passes({ sentiments: ['positive'] }, enrichment), false)
  assert.equal(passes({ themes: ['ads', 'stability_crash'] }, enrichment), true)
  assert.equal(passes({ themes: ['ads'] }, enrichment), false)
  assert.equal(passes({ severities: ['high'] }, enrichment), true)
  assert.equal(passes({ isBugReport: true, isFeatureRequest: false }, enrichment), true)
  assert.equal(passes({ isBugReport: false }, enrichment), false)
  assert.equal(passes({ isFeatureRequest: true }, enrichment), false)
})

test('an empty rule matches every review', () => {
  assert.equal(passes({}, null), true)
  assert.equal(passes({ languages: [], themes: [], keywords: [], appVersions: [] }, null), true)
})

test('a review without enrichment fails the rules about it', () => {
  assert.equal(passes({ severities: ['high'] }, null), false)
  assert.equal(passes({ mentionsCompetitor: false }, null), false)
  assert.equal(passes({ competitors: ['Acme'] }, null), false)
})

test('a keyword must occur in title, body or English summary, and an excluded one in none of them', () => {
  const texts = { title: 'Impossible de se connecter', body: 'Le mot de passe est refusé' }
  const french = { ...enrichment, summary_en: 'The password is rejected.' }
  assert.equal(passes({ keywords: ['connecter'] }, french, texts), true)
  assert.equal(passes({ keywords: ['MOT DE PASSE', 'x'] }, french, texts), true)
  assert.equal(passes({ keywords: ['password'] }, french, texts), true)
  assert.equal(passes({ keywords: ['password'] }, null, texts), false)
  assert.equal(passes({ keywords: ['crash'] }, french, texts), false)
  assert.equal(passes({ excludedKeywords: ['password'] }, french, texts), false)
  assert.equal(passes({ excludedKeywords: ['crash'] }, french, texts), true)
  assert.equal(passes({ keywords: ['passe'], excludedKeywords: ['password'] }, french, texts), false)
  assert.equal(passes({ keywords: ['null'] }, null, { title: null, body: 'Null pointer' }), true)
})

test('a version is exact, or a prefix with * at its end', () => {
  const version = (appVersion: string | null, ...appVersions: string[]) =>
    passes({ appVersions }, null, { appVersion })
  assert.equal(version('4.2.0', '4.2.0'), true)
  assert.equal(version('4.2.0', '4.2'), false)
  assert.equal(version('4.2.0', '3.0', '4.2.*'), true)
  assert.equal(version('4.20', '4.2.*'), false)
  assert.equal(version('4.20', '4.2*'), true)
  assert.equal(version(null, '*'), false)
})

test('a competitor is any, or one of those named, ignoring case', () => {
  const named = { ...enrichment, mentions_competitor: true, competitor_named: 'ＡＣＭＥ Chat' }
  const unnamed = { ...named, competitor_named: null }
  assert.equal(passes({ mentionsCompetitor: true }, named), true)
  assert.equal(passes({ mentionsCompetitor: false }, named), false)
  assert.equal(passes({ mentionsCompetitor: true }, enrichment), false)
  assert.equal(passes({ competitors: ['other', 'acme chat'] }, named), true)
  assert.equal(passes({ competitors: ['acme'] }, named), false)
  assert.equal(passes({ competitors: ['acme chat'] }, unnamed), false)
})
