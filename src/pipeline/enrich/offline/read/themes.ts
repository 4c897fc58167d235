import { type Sentiment, THEMES, type Theme } from '../../../../model/vocabulary.ts'
import type { Reading, Signal } from './signals.ts'

export type ThemeFacts = {
  readonly sentiment: Sentiment
  readonly isComparison: boolean
  readonly isRequest: boolean
  readonly requestTheme: Theme | null
}

/** Themes whose topic word turns "does not work" beside it into a fault of that theme. */
const FUNCTIONAL = new Set<Theme>([
  'battery',
  'sync',
  'login_account',
  'billing_payment',
  'notifications',
  'compatibility',
  'stability_crash',
  'performance',
  'data_loss',
])

/** Every topic of the text, at least one, in the order of the vocabulary. */
export function readThemes(reading: Reading, facts: ThemeFacts): Theme[] {
  const found = new Set<Theme>()
  const { signals } = reading
  for (const signal of signals) {
    const { theme } = signal.meaning
    if (theme === null || theme === 'bug_general' || theme === 'update_regression') continue
    if (theme === 'praise_general' && !praisesTheWhole(signal, signals)) continue
    if (signal.meaning.needsJudgement === true && !isJudged(signal, signals, facts)) continue
    if (isMereScene(signal, signals, facts)) continue
    found.add(theme)
  }
  if (isGeneralFault(signals)) found.add('bug_general')
  if (
    signals.some((signal) => signal.cue === 'good' && praisesTheWhole(signal, signals)) &&
    isMended(signals)
  )
    found.add('praise_general')
  if (facts.requestTheme !== null) found.add(facts.requestTheme)
  if (asksBesidesContent(found, facts)) found.add('other')
  if (isRegression(signals, facts.sentiment)) found.add('update_regression')
  if (facts.isComparison) found.add('comparison')
  dropEchoes(found, signals, facts)
  if (found.size === 0) for (const theme of namedTopics(signals, facts)) found.add(theme)
  if (found.size === 0) found.add(facts.sentiment === 'positive' ? 'praise_general' : 'other')
  // "Switched from X and never looked back" praises the app, where it says no other reason.
  if (found.size === 1 && facts.isComparison && facts.sentiment === 'positive') found.add('praise_general')
  return THEMES.filter((theme) => found.has(theme))
}

/**
 * A topic that is only named, where something else is what the text is about: what was bought with a hacked account,
 * where data was lost, or what a wanted feature works on.
 */
function isMereScene(signal: Signal, signals: readonly Signal[], { isRequest }: ThemeFacts): boolean {
  const { meaning } = signal
  if (meaning.polarity !== 0) return false
  const judged = signals.some(
    ({ meaning: other, polarity }) => other.theme === meaning.theme && polarity !== 0,
  )
  if (judged || faultsOf(meaning.theme, signals)) return false
  if (isRequest) return true
  if (meaning.theme === 'compatibility') return signals.some(({ cue, holds }) => holds && cue === 'sync_bad')
  return signals.some(({ cue, holds }) => holds && (cue === 'hacked' || cue === 'data_lost'))
}

/** Praise beside a theme of its own ("what great recipes") is about that theme. */
function praisesTheWhole(signal: Signal, signals: readonly Signal[]): boolean {
  return (
    signal.holds &&
    signal.polarity > 0 &&
    !signals.some((other) => other.segment === signal.segment && hasOwnTheme(other))
  )
}

/** A fault is spoken of that is there no more: who is happy about it is happy with the app. */
function isMended(signals: readonly Signal[]): boolean {
  return signals.some(({ meaning, holds }) => meaning.bug && !holds)
}

function hasOwnTheme({ meaning }: Signal): boolean {
  return meaning.theme !== null && meaning.theme !== 'praise_general' && meaning.theme !== 'update_regression'
}

function isJudged(
  signal: Signal,
  signals: readonly Signal[],
  { requestTheme, sentiment }: ThemeFacts,
): boolean {
  const beside = signals.filter((other) => other !== signal && other.segment === signal.segment)
  if (requestTheme === signal.meaning.theme) return true
  // Who is pleased thanks the developers; who is not names the support because of it.
  if (signal.meaning.theme === 'customer_support' && sentiment !== 'positive') return true
  if (signal.meaning.theme === 'content_quality' && isPraisedNearby(signal, signals)) return true
  // "The button does not work" is a fault, not a word about the looks.
  return (
    !beside.some((other) => other.meaning.bug) &&
    beside.some((other) => other.polarity !== 0 && other.cue !== 'praise')
  )
}

/** "Been cooking from it for a year, the recipes, the videos, all of it: lovely": content is praised across a whole sentence. */
function isPraisedNearby({ sentence }: Signal, signals: readonly Signal[]): boolean {
  const isFaulty = signals.some(({ meaning, holds }) => meaning.bug && holds)
  return (
    !isFaulty && signals.some((other) => other.sentence === sentence && other.holds && other.polarity > 0)
  )
}

/** "Lovely stories, now a sleep timer": the wish is a topic of its own beside the content, and no theme fits it. */
function asksBesidesContent(found: ReadonlySet<Theme>, { isRequest, requestTheme }: ThemeFacts): boolean {
  return isRequest && requestTheme === null && found.size === 1 && found.has('content_quality')
}

/** Where nothing is judged and nothing asked for, what is named is what the text is about. */
function namedTopics(signals: readonly Signal[], { isRequest }: ThemeFacts): Theme[] {
  if (isRequest) return []
  return signals.flatMap(({ meaning: { theme, needsJudgement } }) =>
    needsJudgement === true && theme !== null && theme !== 'update_regression' ? [theme] : [],
  )
}

/** A fault counts as general only where no theme, of the same sentence or of another fault, says what fails. */
function isGeneralFault(signals: readonly Signal[]): boolean {
  const isSpecific = signals.some(
    ({ meaning, holds }) => meaning.bug && meaning.theme !== 'bug_general' && holds,
  )
  return (
    !isSpecific &&
    signals.some((signal) => signal.cue === 'bug' && !faultsIn(signals).topics.has(signal.sentence))
  )
}

/** What is asked about the signals of one text again and again, found in one pass over them. */
type Faults = {
  /** The first functional topic of each sentence. */
  readonly topics: ReadonlyMap<number, Theme>
  /** The topics of the general faults that hold; undefined for one without a topic. */
  readonly faulty: ReadonlySet<Theme | null | undefined>
}
const faultsBySignals = new WeakMap<readonly Signal[], Faults>()

function faultsIn(signals: readonly Signal[]): Faults {
  const known = faultsBySignals.get(signals)
  if (known !== undefined) return known
  const topics = new Map<number, Theme>()
  for (const { meaning, sentence } of signals)
    if (
      !topics.has(sentence) &&
      meaning.theme !== null &&
      FUNCTIONAL.has(meaning.theme) &&
      !meaning.needsJudgement
    )
      topics.set(sentence, meaning.theme)
  const faulty = new Set(
    signals.filter(({ cue, holds }) => cue === 'bug' && holds).map(({ sentence }) => topics.get(sentence)),
  )
  faultsBySignals.set(signals, { topics, faulty })
  return { topics, faulty }
}

/** Whether a general fault ("does not work") is about this theme: its topic stands in the same sentence. */
export function faultsOf(theme: Theme | null, signals: readonly Signal[]): boolean {
  return faultsIn(signals).faulty.has(theme)
}

function isRegression(signals: readonly Signal[], sentiment: Sentiment): boolean {
  // "So much smoother since the update" is tied to it as well.
  if (sentiment === 'positive') return signals.some(({ cue }) => cue === 'update_since')
  const complaints = signals.filter(({ holds, polarity }) => holds && polarity < 0)
  return signals.some((signal) => {
    if (signal.meaning.theme !== 'update_regression') return false
    if (signal.cue === 'update_since') return complaints.length > 0 || sentiment === 'negative'
    return complaints.some(({ sentence, cue }) => sentence === signal.sentence && cue !== 'ads_topic')
  })
}

/** Takes out themes that only echo another: the price of a subscription is no payment matter. */
function dropEchoes(found: Set<Theme>, signals: readonly Signal[], facts: ThemeFacts): void {
  const has = (...cues: string[]) => signals.some(({ cue }) => cues.includes(cue))
  if (
    has('pricey', 'cheap', 'ads_bad', 'churn') &&
    !has('payment_bad') &&
    !faultsOf('billing_payment', signals)
  )
    found.delete('billing_payment')
  if (has('onboarding_bad', 'onboarding_good') && !has('login_bad')) found.delete('login_account')
  if (has('ui_good', 'ui_bad') && facts.sentiment === 'positive') found.delete('update_regression')
  if (facts.sentiment === 'negative') found.delete('praise_general')
}
