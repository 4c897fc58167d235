import type { Sentiment } from '../../../../model/vocabulary.ts'
import type { Competitor } from './competitor.ts'
import type { Reading } from './signals.ts'

const PLEASED_EMOJI = new Set([
  ...'😀😃😄😁😆😊🙂😍🥰😘🤩😎🥳👍👌👏🙌💪❤♥💛💚💙💜🧡🖤💖💕💯⭐🌟✨🎉🔥🙏🏆😻🤗😇☺😋💗🫶🥇',
])
const DISPLEASED_EMOJI = new Set([...'😡😠🤬👎😤😞😒😢😭💩🤮😖😫😩🙄😑😣☹🙁😔🤦😾🖕💔😕🤢😪😓🗑'])
/** Emoji that turn a compliment around. */
const IRONIC_EMOJI = new Set([...'🙃🙄🤡👏🤦'])

/** Most that one segment adds to a side: a pile of words in one breath is still one judgement. */
const SEGMENT_SHARE_MAX = 1.5

export type Mood = { readonly sentiment: Sentiment; readonly pleased: number; readonly displeased: number }

/**
 * Sentiment of the text. Stars, where they are shown, decide only what the text leaves open, because some people
 * give the wrong number of them. `asks`: the text is a request.
 * Coming from a competitor is a compliment, going to one a complaint.
 */
export function readSentiment(
  reading: Reading,
  emoji: readonly string[],
  rating: number | null,
  asks: boolean,
  competitor: Competitor,
): Mood {
  const heard = (name: 'sarcasm' | 'meh' | 'question' | 'missing' | 'fix_please' | 'contrast') =>
    reading.segments.some(({ steering }) => steering.has(name))
  let pleased = 0
  let displeased = 0
  const perSegment = new Map<number, { pleased: number; displeased: number }>()
  for (const { segment, polarity: own, repeats } of reading.signals) {
    // Tables overlap. With the stars hidden the sum of the words is all there is, and reads better with what they overlap in.
    if (repeats && rating !== null) continue
    // "Other apps do it better" praises the others.
    const praisesOthers =
      own > 0 && !competitor.joined && reading.segments[segment]?.steering.has('other_apps') === true
    const polarity = praisesOthers ? -own : own
    const sum = perSegment.get(segment) ?? { pleased: 0, displeased: 0 }
    if (polarity > 0) sum.pleased += polarity
    else sum.displeased -= polarity
    perSegment.set(segment, sum)
  }
  for (const sum of perSegment.values()) {
    pleased += Math.min(sum.pleased, SEGMENT_SHARE_MAX)
    displeased += Math.min(sum.displeased, SEGMENT_SHARE_MAX)
  }
  if (emoji.some((one) => PLEASED_EMOJI.has(one))) pleased += 0.5
  if (emoji.some((one) => DISPLEASED_EMOJI.has(one))) displeased += 0.5
  if (competitor.joined) pleased += 1
  if (competitor.leaving) displeased += 1
  const ironic = heard('sarcasm') || emoji.some((one) => IRONIC_EMOJI.has(one))
  const mood = (sentiment: Sentiment): Mood => ({ sentiment, pleased, displeased })

  const isFair = rating !== null && rating >= 3 && heard('contrast')
  if (ironic && !isFair && (displeased > 0 || (rating !== null && rating <= 2))) return mood('negative')
  if (rating === null && displeased > 0 && soundsSarcastic(reading)) return mood('negative')
  if (pleased > 0 && displeased > 0)
    return mood(weigh({ pleased, displeased, rating, sides: sidesOf(reading) }))
  if (heard('meh') && Math.max(pleased, displeased) <= 1 && (rating === null || rating === 3))
    return mood('neutral')
  if (displeased > 0) {
    const isMereMention = displeased < 0.6 && ((rating !== null && rating >= 4) || heard('question'))
    return mood(isMereMention ? 'neutral' : 'negative')
  }
  if (pleased >= 1) return mood('positive')
  if (pleased > 0 && (rating === null || rating > 2)) return mood(rating === 3 ? 'neutral' : 'positive')
  if (heard('fix_please')) return mood('negative')
  // What is asked for with one or two stars is missed, not merely wished for.
  if (asks && rating !== null && rating <= 2) return mood('negative')
  if (asks && heard('missing') && (rating === null || rating === 3)) return mood('negative')
  if (asks || heard('question') || heard('meh') || reading.segments.some(({ segment }) => segment.question))
    return mood('neutral')
  if (rating === null) return mood(unheard(reading))
  return mood(rating === 3 ? 'neutral' : rating > 3 ? 'positive' : 'negative')
}

/** Fewer words than these tell nothing: a name, a greeting. */
const STORY_TOKENS_MIN = 3

/** Where no judgement is heard and no star seen: who tells a story tells of a mishap, or of one that is mended. */
function unheard({ segments }: Reading): Sentiment {
  const tokens = segments.reduce((sum, { segment }) => sum + segment.tokens.length, 0)
  if (tokens < STORY_TOKENS_MIN) return 'neutral'
  const isMended = segments.some(({ steering }) => steering.has('fixed') && !steering.has('unfixed'))
  return isMended ? 'positive' : 'negative'
}

/**
 * A fault praised without a "but" and without naming anything good ("Wonderful alarm, it never rings, thank you"):
 * who means it both ways says so.
 */
function soundsSarcastic({ segments, signals }: Reading): boolean {
  const kind = signals.filter(({ holds, polarity }) => holds && polarity > 0)
  return (
    kind.length > 0 &&
    signals.some(({ meaning, holds }) => meaning.bug && holds) &&
    kind.every(({ cue }) => cue === 'praise' || cue === 'good') &&
    !segments.some(({ steering }) => steering.has('contrast'))
  )
}

type Sides = {
  readonly hasContrast: boolean
  /** Something is praised by its name, or with a "but" beside it: no thanks in jest, no mere courtesy. */
  readonly areBothMeant: boolean
  /** It is told how somebody helped. */
  readonly isHelped: boolean
}

function sidesOf({ segments, signals }: Reading): Sides {
  const hasContrast = segments.some(({ steering }) => steering.has('contrast'))
  const compliments = signals.filter(
    ({ holds, polarity, meaning }) => holds && polarity > 0 && meaning.polarity > 0,
  )
  const complaints = signals.filter(({ polarity }) => polarity < 0)
  const named = compliments.filter(
    ({ meaning, segment }) =>
      meaning.theme !== null &&
      meaning.theme !== 'praise_general' &&
      complaints.some((complaint) => complaint.segment !== segment),
  )
  return {
    hasContrast,
    areBothMeant: hasContrast ? compliments.length > 0 : named.length > 0,
    isHelped: !hasContrast && compliments.some(({ cue }) => cue === 'support_good'),
  }
}

type Scales = {
  readonly pleased: number
  readonly displeased: number
  readonly rating: number | null
  readonly sides: Sides
}

/** Both sides were heard: mixed when neither is a mere courtesy beside the other. */
function weigh({ pleased, displeased, rating, sides }: Scales): Sentiment {
  if (rating === 3) return 'mixed'
  const share = pleased / (pleased + displeased)
  if (rating === null) {
    if (sides.isHelped && share > 0.25) return 'positive'
    if (sides.areBothMeant && share >= 0.25 && share <= 0.75) return 'mixed'
    return share > 0.7 ? 'positive' : 'negative'
  }
  if (
    sides.hasContrast &&
    sides.areBothMeant &&
    (rating === 2 || rating === 4) &&
    pleased >= 1 &&
    displeased >= 1
  )
    return 'mixed'
  if (rating > 3) return share >= 0.5 ? 'positive' : share > 0.3 ? 'mixed' : 'negative'
  // Nobody who sees two sides gives one star: the kind words were a courtesy, or about something else.
  if (rating === 1 && share < 0.8) return 'negative'
  return share <= 0.5 ? 'negative' : share < 0.7 ? 'mixed' : 'positive'
}
