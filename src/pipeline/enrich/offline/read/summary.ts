import type { Enrichment } from '../../../../model/enrichment.ts'
import type { Theme } from '../../../../model/vocabulary.ts'
import type { FeatureRequest } from './request.ts'

const WORDS_MAX = 20

const THEME_WORDS: Readonly<Record<Theme, string>> = {
  stability_crash: 'crashes',
  performance: 'speed',
  battery: 'battery use',
  data_loss: 'lost data',
  sync: 'sync',
  login_account: 'login',
  billing_payment: 'payment',
  refund: 'a refund',
  pricing_value: 'price',
  ads: 'ads',
  ui_ux: 'design and usability',
  onboarding: 'getting started',
  bug_general: 'malfunctions',
  notifications: 'notifications',
  privacy_security: 'privacy and security',
  customer_support: 'customer support',
  content_quality: 'content quality',
  compatibility: 'device compatibility',
  localization: 'translation',
  update_regression: 'the latest update',
  praise_general: 'the app as a whole',
  comparison: 'a competitor',
  other: 'other topics',
}

/** Themes that are named for what goes wrong, as someone sees them who is content: nobody is pleased with crashes. */
const GOOD_WORDS: Readonly<Partial<Record<Theme, string>>> = {
  stability_crash: 'stability',
  data_loss: 'how safe data is',
  ads: 'how ads are handled',
  bug_general: 'reliability',
}

type Facts = Omit<Enrichment, 'summary_en'>

/** English in one or two sentences of at most 20 words, from what was understood; never words of the review itself. */
export function summarize(facts: Facts, wanted: FeatureRequest | null): string {
  const wish = request(wanted)
  const first = opening(facts)
  // Whoever only wishes for something has said no more than that.
  const words = `${wish !== '' && first === BARE ? '' : first}${wish}${ending(facts)}`.trim().split(' ')
  return words.length <= WORDS_MAX
    ? words.join(' ')
    : `${words
        .slice(0, WORDS_MAX)
        .join(' ')
        .replace(/[.,;:]$/, '')}.`
}

const BARE = 'Comments on the app.'

function opening({ sentiment, themes, is_bug_report }: Facts): string {
  const words = sentiment === 'positive' && !is_bug_report ? { ...THEME_WORDS, ...GOOD_WORDS } : THEME_WORDS
  const topics = list(
    themes.filter((theme) => theme !== 'other' && theme !== 'praise_general').map((theme) => words[theme]),
  )
  const praise = themes.includes('praise_general')
  if (topics === '') {
    if (is_bug_report) return 'Reports a malfunction.'
    return {
      positive: 'Praises the app.',
      negative: 'Complains about the app.',
      neutral: BARE,
      mixed: 'Sees good and bad sides.',
    }[sentiment]
  }
  if (is_bug_report)
    return `${sentiment === 'mixed' ? 'Mixed: some praise, but reports' : 'Reports'} a problem with ${topics}.`
  if (sentiment === 'positive')
    return praise ? `Praises the app; mentions ${topics}.` : `Pleased with ${topics}.`
  if (sentiment === 'negative') return `Complains about ${topics}.`
  return sentiment === 'mixed' ? `Sees good and bad sides: ${topics}.` : `Comments on ${topics}.`
}

/** At most three topics, so that the request and the outcome still fit. */
function list(topics: readonly string[]): string {
  const words = topics.slice(0, 3)
  const last = words.pop()
  if (last === undefined) return ''
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`
}

function request(wanted: FeatureRequest | null): string {
  if (wanted === null) return ''
  return wanted.english === null ? ' Asks for a new feature.' : ` Asks for: ${wanted.english}.`
}

function ending({ severity, is_bug_report, themes, is_feature_request }: Facts): string {
  const hasUrgentTheme = themes.some((theme) => URGENT.has(theme))
  if (severity === 'high' && !(is_bug_report && hasUrgentTheme)) return ' Is leaving or has left.'
  return severity === 'high' && !is_feature_request ? ' Urgent.' : ''
}

const URGENT = new Set<Theme>(['stability_crash', 'data_loss', 'billing_payment', 'privacy_security'])
