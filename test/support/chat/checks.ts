import assert from 'node:assert/strict'
import type { Message, Target, TargetFailure } from '../../../src/pipeline/targets/target.ts'
import type { Reader } from './harmless.ts'
import { contextWith, dropWith, reviewWith } from './message-events.ts'

/** Checks that several types of targets share. */

/** The body of a request with a message. */
export function bodyOf(message: Message): string {
  assert.ok(message.kind === 'http' && message.body !== null)
  return message.body
}

/** Fails unless a digest of `count` reviews shows at least `shownMin` of them and counts the others. Returns its text. */
export function assertDigestCounts<Settings>(
  target: Target<Settings>,
  settings: Settings,
  read: (message: Message) => { readonly text: string },
  { count, shownMin }: { readonly count: number; readonly shownMin: number },
): string {
  const items = Array.from({ length: count }, () => ({ event: reviewWith(), context: contextWith() }))
  const { text } = read(target.digest(items, settings, contextWith()))
  const shown = text.split('Great until the last update').length - 1
  assert.ok(shown >= shownMin, `${shown} are shown`)
  assert.ok(text.includes(`and ${(count - shown).toLocaleString('en-US')} more`))
  return text
}

/** Fails unless a review has its summary in italics, and a rating drop its values in the first lines. */
export function assertSummaryAndDrop<Settings>(
  target: Target<Settings>,
  settings: Settings,
  read: Reader,
): void {
  const review = reviewWith({}, { language: 'de', summary_en: 'It crashes.' })
  const { styled } = read(target.message(review, settings, contextWith()))
  assert.ok(styled.includes('In English: It crashes.'))
  const { text } = read(target.message(dropWith(), settings, contextWith()))
  assert.match(text, /^Rating drop: 4\.50 → 4\.40 · US\nFell by 0\.10 · 12,873 ratings\n/)
}

/** The reason of a permanent failure; null for any other. */
export function permanentReason(failure: TargetFailure | null) {
  return failure?.kind === 'permanent' ? failure.reason : null
}
