import assert from 'node:assert/strict'
import type { OfficialFailure } from '../../src/pipeline/appstores/official.ts'

/** Asserts that an answer of an official API is a failure with this reason and sentence. */
export function assertFailed(
  answer: { readonly kind: string },
  reason: OfficialFailure['reason'],
  sentence: RegExp,
): asserts answer is OfficialFailure {
  assert.equal(answer.kind, 'failed', JSON.stringify(answer))
  const failure = answer as OfficialFailure
  assert.equal(failure.reason, reason, failure.detail)
  assert.match(failure.detail, sentence)
}
