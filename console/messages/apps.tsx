import type { ReactNode } from 'react'
import { counted } from '../util/numbers.ts'

/** Texts of the list of apps, and of adding, tracking and untracking one. */

export const appsTexts = {
  add: 'Add an app',
  title: 'Apps',
  about: 'Apps you track',
  emptyTitle: 'No apps yet',
  emptyNote:
    'Find your app in the App Store or Google Play and choose its storefronts. Its reviews and ratings appear here.',
  search: 'Search apps',
  group: 'Group both stores',
  name: 'apps',
  reviewsIn7Days: (count: number) => `${counted(count, 'review')} in 7 days`,
  noReviews: 'No reviews yet',
  lastReview: (at: ReactNode) => <>Last review {at}</>,
  destinations: (count: number) => counted(count, 'destination'),
  noRating: 'No rating yet',
  inBothStores: (app: string) => `${app} in both stores`,
  layout: 'Layout',
  cards: 'Cards',
  table: 'Table',
} as const

export const appTableTexts = {
  app: 'App',
  rating: 'Rating',
  ratings: 'Ratings',
  reviews: 'Reviews in 7 days',
  last: 'Last review',
  destinations: 'Destinations',
  state: 'State',
  hint: (least: number, most: number) => `Select ${least} to ${most} apps to compare them.`,
  compare: (count: number) => `Compare ${counted(count, 'app')}`,
} as const

export const addAppTexts = {
  title: 'Add an app',
  about: 'Enter its name, store link, App Store ID or Google Play package name. Both stores are searched.',
  app: 'App',
  appPlaceholder: 'Name, link, ID or package name',
  viewerTitle: 'Viewers cannot add apps',
  viewApps: 'View your apps',
  noneTitle: 'No apps found',
  noneNote:
    'Check the spelling or choose another storefront. A link, an ID or a package name finds the app in any storefront that has it.',
  failedTitle: 'A store did not answer',
  searchAgain: 'Search again',
  track: 'Track',
  inBothStores: (app: string) => `${app} in both stores`,
  bothStores: 'In both stores',
  trackBoth: 'Track both',
  trackedTitle: (name: string) => `You now track ${name}`,
  trackTitle: (name: string) => `Track ${name}`,
  trackIn: (count: number) => `Track in ${counted(count, 'storefront')}`,
  trackedNote:
    'Its reviews and ratings arrive in a moment. See new reviews as events in the inbox of this console, or send them to your own program.',
  showInInbox: 'Show events in the inbox',
  addWebhook: 'Add a webhook',
  viewApp: 'View the app',
  viewIn: (store: string) => `View in ${store}`,
} as const

export const storefrontTexts = {
  saved: 'Storefronts saved. New ones are checked right away.',
  title: 'Edit storefronts',
  alwaysTracked: (storefronts: string) => `Still checked, because subscriptions need them: ${storefronts}`,
  stop: 'Stop tracking',
  stopped: (app: string) => `You no longer track ${app}. It is no longer checked.`,
  stoppedKept: (app: string) =>
    `You no longer track ${app}. Subscriptions still check it and send its events.`,
  stopTitle: (app: string) => `Stop tracking ${app}?`,
  removeToo: (count: number) => `Also remove it from ${counted(count, 'subscription')}`,
  stopNote:
    'The app is no longer checked, sends no events and leaves this console. Its stored reviews are deleted when their retention ends; if you track it again earlier, you see them again.',
  keptNote: (storefronts: string) =>
    `Subscriptions that name the app still check it in ${storefronts} and send its events. It stays in this console.`,
  programsNote: (count: number) =>
    `${counted(count, 'subscription')} created by programs still ${count === 1 ? 'uses' : 'use'} this app. It is checked until the programs remove ${count === 1 ? 'it' : 'them'}.`,
  label: 'Storefronts',
  note: 'Countries to get reviews and ratings from',
  selectAll: 'Select all',
  clear: 'Clear',
} as const
