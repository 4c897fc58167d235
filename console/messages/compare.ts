import { counted, decimal, number } from '../util/numbers.ts'
import { commonTexts } from './common.ts'

/** Texts of the comparison of apps, versions and periods, and of the ways to it. */

export const compareTexts = {
  title: 'Compare',
  about: 'Reviews of apps, versions, storefronts or periods, side by side',
  table: 'Comparison',
  newComparison: 'New comparison',
  addColumn: 'Add a column',
  columnsMax: 'A comparison has up to four columns',
  allApps: 'All apps',
  bothStores: 'App Store and Google Play',
  inBothStores: (app: string) => `${app} (both stores)`,
  inStore: (app: string, store: string) => `${app} (${store})`,
  figure: 'Figure',
  base: 'Base',
  baseNote: 'The other columns show their difference to this one',
  column: (position: number) => `column ${position}`,
  makeBase: 'Make base',
  remove: 'Remove',
  fieldOf: (field: string, position: number) => `${field} of column ${position}`,
  order: 'Column',
  app: 'App',
  storefront: commonTexts.storefront,
  version: 'Version',
  period: 'Period',
  anyStorefront: 'Any storefront',
  anyVersion: 'Any version',
  newestVersion: 'Newest version',
  versionBefore: 'The version before it',
  needsApp: 'Choose an app first',
  inLanguage: (storefront: string, language: string) => `${storefront} (${language})`,
  languageNote: (language: string) => `From Google Play: all reviews in ${language}`,
  enrichedNote:
    'Negative reviews, bug reports, themes and requests are shares of the reviews with enrichment.',
  noReviews: 'No reviews. Choose another period, storefront or version.',
  noReviewsOfVersion: (version: string) => `No reviews of version ${version} in this period.`,
} as const

export const periodTexts = {
  last: (days: number) => `Last ${counted(days, 'day')}`,
  before: (days: number) => `The ${counted(days, 'day')} before`,
  since: (version: string) => `Since ${version}`,
  dates: 'Since and until…',
  days: 'Days',
  releases: 'Since a version',
} as const

export const compareProblemTexts = {
  app: 'The account does not track this app. Choose another one.',
  order: 'The period ends before it starts. Choose a later end.',
  length: 'The period is longer than 366 days. Choose a later start.',
  release: 'This version is not among the 50 with the most reviews in the last year. Choose another period.',
  version:
    'The reviews of the last year are all of one version. Choose another version, or clear it to see all reviews.',
  versions: 'No review of the last year names a version. Clear the version to see all reviews.',
} as const

export const figureTexts = {
  reviews: 'Reviews',
  perDay: 'Reviews per day',
  /** To a tenth of a day, since the last day may not be over. */
  overDays: (days: number) => `over ${counted(Math.round(10 * days) / 10, 'day')}`,
  average: 'Average stars',
  stars: (stars: number) => counted(stars, 'star'),
  negative: 'Negative',
  bugReports: 'Bug reports',
  featureRequests: 'Feature requests',
  themes: 'Top themes',
  requests: 'Top requested features',
  noThemes: 'No themes in these reviews.',
  noRequests: 'No feature requests in these reviews.',
  reviewsIn: (figure: string, store: string) => `${figure}: reviews in ${store}`,
} as const

/** Signs and words, so that a difference is clear without its colour. */
export const differenceTexts = {
  same: 'no difference',
  percentUp: (percent: number) => `${number(percent)}% more`,
  percentDown: (percent: number) => `${number(percent)}% fewer`,
  littleMore: 'less than 1% more',
  littleFewer: 'less than 1% fewer',
  more: (amount: string) => `${amount} more`,
  higher: (stars: number) => `${decimal(stars, 2)} higher`,
  lower: (stars: number) => `${decimal(stars, 2)} lower`,
  pointsUp: (points: number) => `${decimal(points, 1)} points higher`,
  pointsDown: (points: number) => `${decimal(points, 1)} points lower`,
} as const

/** Comparisons that a link opens. */
export const comparePresetTexts = {
  start: 'What do you want to compare?',
  startNote: 'You can change every column afterwards. The address of the page keeps the comparison.',
  app: 'App',
  comparisons: 'Comparisons',
  versions: 'Newest version with the one before',
  versionsIn: (store: string) => `Newest version with the one before (${store})`,
  stores: 'App Store with Google Play',
  period: (days: number) => `Last ${counted(days, 'day')} with the ${counted(days, 'day')} before`,
  of: (comparison: string, app: string) => `${comparison}: ${app}`,
  compareVersions: 'Compare versions',
  compareWith: 'Compare with…',
  compare: 'Compare',
} as const
