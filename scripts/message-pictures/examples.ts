import { sampleEvent } from '../../src/contract/sample.ts'
import type {
  RatingDropped,
  RatingRecovered,
  ReviewCreated,
  ReviewsSpiked,
} from '../../src/contract/webhook.ts'
import type { DigestItem, MessageContext } from '../../src/pipeline/targets/target.ts'

/** Invented events of an invented app. */

export const CONTEXT: MessageContext = {
  appName: 'Pinewood Notes',
  country: 'us',
  storeUrl: 'https://apps.apple.com/us/app/id123456789?see-all=reviews',
  consoleUrl: 'https://radar.example.com/reviews/1',
  unsubscribeUrl: 'https://radar.example.com/unsubscribe/1',
  now: new Date('2026-01-15T10:00:00Z'),
}

const sample = sampleEvent('review.created') as ReviewCreated
const enrichment = sample.enrichment as NonNullable<ReviewCreated['enrichment']>

export const BUG: ReviewCreated = {
  ...sample,
  rating: 2,
  title: 'Seit dem Update unbrauchbar',
  body: 'Die App schließt sich jedes Mal, wenn ich eine geteilte Liste öffne. Vorher lief alles <b>super</b> & schnell.\n\nBitte schnell beheben, @channel *sonst* wechsle ich zu Listly: https://listly.example',
  author: 'Jonas aus Kiel',
  app_version: '4.2.0',
  country: 'de',
  enrichment: {
    ...enrichment,
    language: 'de',
    sentiment: 'negative',
    themes: ['stability_crash', 'update_regression'],
    is_feature_request: false,
    feature_slug: null,
    feature_phrase: null,
    mentions_competitor: true,
    competitor_named: 'Listly',
    summary_en: 'The app closes whenever a shared list is opened since the update; threatens to switch.',
  },
}

export const PRAISE: ReviewCreated = {
  ...sample,
  rating: 5,
  title: 'Exactly what I needed',
  body: 'Fast, quiet, no ads. A widget for the lock screen would make it perfect.',
  author: 'Maya',
  country: 'gb',
  enrichment: {
    ...enrichment,
    sentiment: 'positive',
    themes: ['praise_general', 'ui_ux'],
    is_bug_report: false,
    severity: 'low',
    feature_slug: 'lock-screen-widget',
    feature_phrase: 'Lock screen widget',
    summary_en: 'Praises speed and no ads; asks for a lock screen widget.',
  },
}

export const ARABIC: ReviewCreated = {
  ...sample,
  rating: 1,
  title: 'التطبيق لا يعمل',
  body: 'لا أستطيع تسجيل الدخول منذ يومين. (خطأ 401)',
  author: 'سارة',
  country: 'us',
  enrichment: {
    ...enrichment,
    language: 'ar',
    sentiment: 'negative',
    themes: ['login_account'],
    is_feature_request: false,
    feature_slug: null,
    feature_phrase: null,
    severity: 'medium',
    summary_en: 'Cannot sign in for two days (error 401).',
  },
}

export const DROP: RatingDropped = {
  ...(sampleEvent('rating.dropped') as RatingDropped),
  previous_rating: 4.32,
  current_rating: 4.1,
  delta: -0.22,
  trigger: 'threshold',
  threshold: 4.25,
}

export const SPIKE: ReviewsSpiked = {
  ...(sampleEvent('reviews.spiked') as ReviewsSpiked),
  countries: ['us', 'gb', 'de'],
}

export const RECOVERY = sampleEvent('rating.recovered') as RatingRecovered

const events = [BUG, PRAISE, DROP, ARABIC]
export const DIGEST: readonly DigestItem[] = Array.from({ length: 60 }, (_, index) => ({
  event: events[index % events.length] ?? BUG,
  context: CONTEXT,
}))
