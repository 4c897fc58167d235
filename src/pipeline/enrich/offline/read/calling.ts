import { isCjkSign } from '../text/written.ts'
import { type AskingDeps, isExact, positionsOf, sentenceOf } from './asking-words.ts'
import type { Reading, SegmentReading } from './signals.ts'

/** Words before and after the name: "a dark theme, no?", "undo button where?". More would tell of something. */
const WORDS_BEFORE_MAX = 1
const WORDS_AFTER_MAX = 2
/** Signs of Japanese, Chinese and Korean are shorter than words. */
const SIGNS_AFTER_MAX = 4

/**
 * Whether a question is hardly more than the exact name of a feature, as people call for it: "dark mode?!", "a dark theme, no?".
 * Who asks about what there is begins with a verb ("does it run on Android Auto?").
 * Beside a word of asking ("when?", "where?") there is room for no other.
 */
export function callsByName(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  if (!asked.segment.question) return false
  const { featuresOf, cluesOf, conceptsOf, features, functionWords } = deps
  const words = sentenceOf(asked, reading).flatMap((one) => {
    const named = positionsOf(featuresOf(one).filter((name) => isExact(name, features)))
    const told = positionsOf([...cluesOf(one), ...conceptsOf(one)])
    return one.segment.tokens.map((token, position) => ({
      token,
      named: named.has(position),
      isOfName: told.has(position) || functionWords.has(token.folded),
    }))
  })
  const first = words.findIndex(({ named }) => named)
  const before = words.slice(0, Math.max(first, 0))
  if (first < 0 || first > WORDS_BEFORE_MAX) return false
  if (!before.every(({ isOfName }) => isOfName)) return false
  const after = words.slice(first).filter(({ named }) => !named)
  const most = after.some(({ token }) => isCjkSign(token)) ? SIGNS_AFTER_MAX : WORDS_AFTER_MAX
  return after.length <= (asked.steering.has('question') ? 1 : most)
}
