import type { Severity } from '../../../../model/vocabulary.ts'
import type { Competitor } from './competitor.ts'
import type { Mood } from './sentiment.ts'
import type { Reading } from './signals.ts'
import { faultsOf } from './themes.ts'

/** Whether the app misbehaves now: a mended, denied or wished-away fault does not count. */
export function readIsBug(reading: Reading): boolean {
  return reading.signals.some(({ meaning, holds }) => meaning.bug && holds)
}

/** The severest thing the text says, by the specification's definition. */
export function readSeverity(reading: Reading, competitor: Competitor, mood: Mood): Severity {
  const { signals } = reading
  const severities = signals.filter(({ holds }) => holds).map(({ meaning }) => meaning.severity)
  if (severities.includes('high') || faultsOf('billing_payment', signals) || faultsOf('data_loss', signals))
    return 'high'
  if (competitor.leaving && mood.sentiment !== 'positive') return 'high'
  return severities.includes('medium') ? 'medium' : 'low'
}
