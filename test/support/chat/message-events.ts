import { sampleEvent } from '../../../src/contract/sample.ts'
import type {
  RatingDropped,
  RatingRecovered,
  ReviewCreated,
  ReviewsSpiked,
} from '../../../src/contract/webhook.ts'
import type { MessageContext } from '../../../src/pipeline/targets/target.ts'

export const STORE_URL = 'https://apps.apple.com/us/app/id123456789?see-all=reviews'
export const CONSOLE_URL = 'https://radar.example.com/reviews/1?app=apple&stars=2'

/** A valid review event: the sample with other values. */
export function reviewWith(
  changes: Partial<ReviewCreated> = {},
  enrichment: Partial<NonNullable<ReviewCreated['enrichment']>> = {},
): ReviewCreated {
  const sample = sampleEvent('review.created') as ReviewCreated
  return {
    ...sample,
    enrichment: sample.enrichment && { ...sample.enrichment, ...enrichment },
    ...changes,
  }
}

export function dropWith(changes: Partial<RatingDropped> = {}): RatingDropped {
  return { ...(sampleEvent('rating.dropped') as RatingDropped), ...changes }
}

export function spikeWith(changes: Partial<ReviewsSpiked> = {}): ReviewsSpiked {
  return { ...(sampleEvent('reviews.spiked') as ReviewsSpiked), ...changes }
}

export function recoveryWith(changes: Partial<RatingRecovered> = {}): RatingRecovered {
  return { ...(sampleEvent('rating.recovered') as RatingRecovered), ...changes }
}

export function contextWith(changes: Partial<MessageContext> = {}): MessageContext {
  return {
    appName: 'Notes & Lists',
    country: 'us',
    storeUrl: STORE_URL,
    consoleUrl: CONSOLE_URL,
    unsubscribeUrl: null,
    now: new Date('2026-01-15T09:31:00.000Z'),
    ...changes,
  }
}
