import type { ReactNode } from 'react'
import { counted, number } from '../util/numbers.ts'

/** Texts of the review feed, of a review and of its enrichment. */

export const reviewTexts = {
  translate: 'Translate to English',
  translation: 'Translation',
  translatedBy: 'Translated by a model',
  title: 'Reviews',
  about: 'Reviews of your apps, newest first',
  name: 'reviews',
  newReviewsOrMore: (count: number) => `${number(count)} or more new reviews`,
  newReviews: (count: number) => counted(count, 'new review'),
  emptyTitle: 'No reviews yet',
  viewApps: 'View your apps',
  emptyNote: 'Reviews of the apps you track appear here as the stores publish them.',
  end: 'End of list',
  item: 'Review',
  erase: 'Erase review',
  erased: 'Review erased.',
  eraseTitle: 'Erase this review for good?',
  eraseNote:
    'Deletes its text, analysis, events and answers. This cannot be undone, and the review is not stored again. Receivers, backups and the store keep their copies.',
  back: 'Back to reviews',
  titleOf: (app: string) => `Review of ${app}`,
  provenance: (published: ReactNode, found: ReactNode, source: string) => (
    <>
      Published {published}, found {found}. Source: {source}
    </>
  ),
  deliveries: 'Deliveries',
  notSent:
    'Not sent: no subscription matched when the review was found. Subscriptions apply to new reviews only.',
  attempts: (count: number) => counted(count, 'attempt'),
  reviewBy: (author: string) => `Review by ${author}`,
  viewIn: (store: string) => `View in ${store}`,
  details: 'Details',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  openPage: 'Open page',
  closeReview: 'Close review',
  fullRows: 'Full rows',
  compactRows: 'Compact rows',
  author: (name: string | null) => name ?? 'Anonymous',
  writtenIn: (language: string) => `Written in ${language}`,
  version: (version: string) => `Version ${version}`,
  edited: 'Edited',
  moreThan: (count: number) => `More than ${number(count)} reviews`,
  count: (count: number) => counted(count, 'review'),
} as const

export const selectionTexts = {
  label: 'Selected reviews',
  /** Screen readers hear it; a long text would tire. */
  select: (author: string, text: string) => `Select review by ${author}: ${[...text].slice(0, 60).join('')}`,
  full: (count: number) => `${number(count)} selected, the most at once`,
  all: (count: number) => `Select the ${number(count)} loaded`,
} as const

export const reviewFilterTexts = {
  stars1And2: '1 and 2 stars',
  stars4And5: '4 and 5 stars',
  starCount: (count: number) => counted(count, 'star'),
  bugReports: 'Bug reports',
  noBugReport: 'No bug report',
  featureRequests: 'Feature requests',
  noFeatureRequest: 'No feature request',
  label: 'Filter reviews',
  search: 'Search in reviews',
  searchHint: 'Words, a feature, an app',
  suggestions: 'Suggested filters',
  requestAndCount: (feature: string, count: number) => `Feature request: ${feature} (${number(count)})`,
  versionAndCount: (version: string, count: number) => `Version: ${version} (${number(count)})`,
  appIn: (app: string, store: string) => `App: ${app}, ${store}`,
  themeNamed: (theme: string) => `Theme: ${theme}`,
  sinceNamed: (start: string) => `Published since ${start}`,
  sinceVersion: (version: string) => `Published since version ${version}`,
  app: 'App',
  stars: 'Stars',
  answer: 'Answer',
  sentiment: 'Sentiment',
  theme: 'Theme',
  severity: 'Severity',
  bugReport: 'Bug report',
  featureRequest: 'Feature request',
  language: 'Language',
  version: 'Version',
  feature: 'Feature',
  nameAndCount: (name: string, count: number) => `${name} (${number(count)})`,
  store: 'Store',
  published: 'Published',
  sinceDay: (day: string) => `since ${day}`,
  untilDay: (day: string) => `until ${day}`,
  betweenDays: (since: string, until: string) => `${since} – ${until}`,
} as const

export const viewTexts = {
  title: 'Views',
  empty: 'No saved views yet',
  shared: 'Views of your account',
  loading: 'Loading views',
  failed: (problem: string) => `The views could not be loaded. ${problem}`,
  by: (author: string) => `Saved by ${author}`,
  savedHere: 'Only in this browser',
  share: (name: string) => `Share “${name}” with your account`,
  forget: (name: string) => `Delete “${name}” from this browser`,
  save: 'Save these filters',
  nameNote: 'Every member of your account sees the view.',
  makeDestination: 'Create a destination from this view',
  deleted: (name: string) => `Deleted the view “${name}”`,
  dropped: (names: readonly string[]) =>
    `A subscription has no filter for: ${names.join(', ')}. The destination gets reviews regardless of ${names.length === 1 ? 'it' : 'them'}.`,
  delete: (name: string) => `Delete “${name}”`,
  submit: 'Save view',
} as const

export const enrichmentTexts = {
  severityOf: (severity: string) => `${severity} severity`,
  bugReport: 'Bug report',
  featureRequest: 'Feature request',
  featureRequestFor: (feature: string) => `Feature request: ${feature}`,
  mentionsCompetitor: 'Mentions a competitor',
  mentions: (competitor: string) => `Mentions ${competitor}`,
  queued: 'Not enriched: the review is queued, or enrichment is off.',
  engineFailed: 'Not enriched: the engine failed on this review. See the service log.',
  overBudget: 'Not enriched: the engine exceeded its time limit.',
  workerDied: 'Not enriched: the enrichment worker crashed on this review.',
  tooManyTries: 'Not enriched: three attempts failed.',
  title: 'Enrichment',
  enrichedBy: (engine: string) => `Enriched by ${engine}`,
  reviewId: (id: ReactNode, copy: ReactNode) => (
    <>
      Review ID {id}
      {copy}
    </>
  ),
  reviewIdName: 'review ID',
  summary: 'Summary',
  sentiment: 'Sentiment',
  severity: 'Severity',
  themes: 'Themes',
  otherTopic: 'Other topic',
  featureSlug: 'Feature slug',
  competitor: 'Competitor',
  language: 'Language',
} as const
