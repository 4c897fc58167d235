import type { Severity, Theme } from '../../../model/vocabulary.ts'

/** What a section of the phrase tables means, whatever the language. */
export type CueMeaning = {
  readonly theme: Theme | null
  /** How much it says that the writer is pleased (above 0) or not (below 0). */
  readonly polarity: number
  readonly bug: boolean
  /** How severe it is when it holds now. */
  readonly severity: Severity
  /** A topic word that tells nothing by itself: the theme counts only beside a judgement in the same sentence. */
  readonly needsJudgement?: boolean
}

const bad = (theme: Theme | null, severity: Severity = 'low', polarity = -1): CueMeaning => ({
  theme,
  polarity,
  bug: false,
  severity,
})
const broken = (theme: Theme, severity: Severity): CueMeaning => ({
  theme,
  polarity: -1,
  bug: true,
  severity,
})
const good = (theme: Theme | null, polarity = 1): CueMeaning => ({
  theme,
  polarity,
  bug: false,
  severity: 'low',
})
const topic = (theme: Theme): CueMeaning => ({ theme, polarity: 0, bug: false, severity: 'low' })
const vagueTopic = (theme: Theme): CueMeaning => ({ ...topic(theme), needsJudgement: true })

/** Nobody speaks of ads, a sign-up or money back for pleasure: the word alone leans to a complaint. */
const MENTION_POLARITY = -0.5

/**
 * The sections that carry meaning by themselves. Severity follows specification 6.3: high is crash, data loss,
 * payment failure, security or leaving; medium is a fault that impairs use, support out of reach, a privacy worry.
 */
export const CUES: Readonly<Record<string, CueMeaning>> = {
  crash: broken('stability_crash', 'high'),
  crash_good: good('stability_crash'),
  slow: broken('performance', 'medium'),
  fast: good('performance'),
  performance_topic: vagueTopic('performance'),
  drain: broken('battery', 'medium'),
  battery_good: good('battery'),
  battery_topic: topic('battery'),
  data_lost: broken('data_loss', 'high'),
  sync_bad: broken('sync', 'medium'),
  sync_good: good('sync'),
  sync_topic: topic('sync'),
  login_bad: broken('login_account', 'medium'),
  login_topic: topic('login_account'),
  payment_bad: broken('billing_payment', 'high'),
  payment_topic: topic('billing_payment'),
  refund: bad('refund', 'low', MENTION_POLARITY),
  pricey: bad('pricing_value'),
  cheap: good('pricing_value'),
  price_topic: topic('pricing_value'),
  ads_bad: bad('ads'),
  ads_good: good('ads'),
  ads_topic: bad('ads', 'low', MENTION_POLARITY),
  ui_bad: bad('ui_ux'),
  ui_broken: broken('ui_ux', 'low'),
  ui_good: good('ui_ux'),
  ui_topic: vagueTopic('ui_ux'),
  onboarding_bad: bad('onboarding'),
  onboarding_good: good('onboarding'),
  onboarding_topic: bad('onboarding', 'low', MENTION_POLARITY),
  bug: broken('bug_general', 'medium'),
  notif_bad: broken('notifications', 'medium'),
  notif_spam: bad('notifications'),
  notif_topic: topic('notifications'),
  privacy_bad: bad('privacy_security', 'medium'),
  privacy_good: good('privacy_security'),
  privacy_topic: topic('privacy_security'),
  hacked: broken('privacy_security', 'high'),
  support_bad: bad('customer_support'),
  support_gone: bad('customer_support', 'medium'),
  support_good: good('customer_support'),
  support_topic: vagueTopic('customer_support'),
  content_bad: bad('content_quality'),
  content_good: good('content_quality'),
  content_topic: vagueTopic('content_quality'),
  compat_bad: broken('compatibility', 'medium'),
  compat_topic: topic('compatibility'),
  l10n_bad: bad('localization'),
  l10n_good: good('localization'),
  l10n_topic: topic('localization'),
  update_since: topic('update_regression'),
  update_topic: vagueTopic('update_regression'),
  praise: good('praise_general'),
  good: good(null),
  bad: bad(null),
  churn: bad(null, 'high'),
}

/** Sections that steer how the others are read. */
export const STEERING = [
  'sarcasm',
  'meh',
  'negator',
  'fixed',
  'unfixed',
  'fix_please',
  'past',
  'contrast',
  'request',
  'lack',
  'wish',
  'unasked',
  'missing',
  'question',
  'compare',
  'joined',
  'leaving',
  'other_apps',
  'name_after',
  'name_before',
] as const
export type Steering = (typeof STEERING)[number]

/** Lists of single words that are looked up, see LanguageTables and DetectDeps. */
export const WORD_LISTS = ['function_words', 'words_joining', 'words_telling', 'words_doubtful'] as const
