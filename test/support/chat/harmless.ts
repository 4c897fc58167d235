import assert from 'node:assert/strict'
import fc from 'fast-check'
import type {
  DigestItem,
  Message,
  MessageContext,
  MessageEvent,
  Target,
} from '../../../src/pipeline/targets/target.ts'
import { cleanText } from '../../../src/pipeline/targets/text.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { contextWith, dropWith, recoveryWith, reviewWith, spikeWith } from './message-events.ts'
import type { Seen } from './seen.ts'

/** How a test reads the messages of a type: it rejects what the service rejects, and shows what its readers see. */
export type Reader = (message: Message) => Seen

/** More than any type shows of long reviews. */
const DIGEST_ITEMS = 22

/** Fails if anything in a review, in a name of the app, or in an enrichment becomes more than text. */
export function assertHarmless<Settings>(target: Target<Settings>, settings: Settings, read: Reader): void {
  const review = (event: MessageEvent, context: MessageContext) =>
    read(target.message(event, settings, context))
  const digest = (item: DigestItem) =>
    read(target.digest(Array(DIGEST_ITEMS).fill(item), settings, contextWith()))
  const harmless = hostileReview('words')
  const expectedReview = review(harmless, contextWith())
  const others = [dropWith, recoveryWith, spikeWith].map((withChanges) => ({
    withChanges,
    expected: review(withChanges(), contextWith()),
  }))
  const expectedLinks = new Set(digest({ event: harmless, context: contextWith() }).links)
  const check = (text: string) => {
    assertSameMarkup(review(hostileReview(text), contextWith({ appName: text })), expectedReview, text)
    for (const { withChanges, expected } of others) {
      assertSameMarkup(review(withChanges({ app_id: text }), contextWith({ appName: null })), expected, text)
      assertSameMarkup(review(withChanges(), contextWith({ appName: text })), expected, text)
    }
  }
  for (const text of HOSTILE_TEXTS) {
    check(text)
    const seen = digest({ event: hostileReview(text), context: contextWith({ appName: text }) })
    assert.deepEqual(seen.mentions, [], `mentions in the digest of ${JSON.stringify(text.slice(0, 80))}`)
    for (const link of seen.links) assert.ok(expectedLinks.has(link), link)
  }
  const parts = fc.array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' })), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(parts, (texts) => check(texts.join(''))),
    { numRuns: 30 },
  )
}

/** Every text of the review, of its enrichment and of its app. */
function hostileReview(text: string): MessageEvent {
  return reviewWith(
    { title: text, body: text, author: text, app_version: text },
    {
      language: 'de',
      summary_en: text,
      feature_phrase: text,
      mentions_competitor: true,
      competitor_named: text,
      themes: ['other'],
      other_topic: text,
    },
  )
}

function assertSameMarkup(seen: Seen, harmless: Seen, text: string): void {
  const shown = JSON.stringify(text.slice(0, 80))
  assert.deepEqual(seen.mentions, [], `mentions of ${shown}`)
  assert.deepEqual(seen.links, harmless.links, `links of ${shown}`)
  assert.ok(
    seen.styled.length <= harmless.styled.length,
    `formats of ${shown}: ${JSON.stringify(seen.styled)}`,
  )
  const words = cleanText(text).slice(0, 30).trim()
  assert.ok(
    spaceless(seen.text).includes(spaceless(words)),
    `${shown} is shown as it is in ${seen.text.slice(0, 400)}`,
  )
}

/** Services show line breaks and indentation differently; word joiners are invisible. */
function spaceless(text: string): string {
  return text.replace(/[\s\u2060]/g, '')
}
