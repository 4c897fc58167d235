import { compact, counted, number } from '../util/numbers.ts'

/** Texts that several pages share. */

export const commonTexts = {
  name: 'Name',
  created: 'Created',
  lastUsed: 'Last used',
  never: 'Never',
  on: 'On',
  off: 'Off',
  email: 'E-mail',
  state: 'State',
  copySecret: 'Copy the signing secret now',
  signingSecret: 'signing secret',
  unknown: 'Unknown',
  save: 'Save',
  copied: 'Copied',
  copyFailed: 'Could not copy. Select the text and copy it manually.',
  done: 'Done',
  cancel: 'Cancel',
  undo: 'Undo',
  goToOverview: 'Go to the overview',
  since: 'Since',
  until: 'Until',
  clearFilters: 'Clear filters',
  documentTitle: (page: string) => `${page} · Review Radar`,
  yes: 'Yes',
  copy: (what: string) => `Copy ${what}`,
  any: 'Any',
  close: 'Close',
  viewDestination: 'View destination',
  timeRange: 'Time range',
  notices: 'Notices',
  pause: 'Pause',
  resume: 'Resume',
  maxPerSecond: 'Max. per second',
  eventType: 'Event type',
  event: 'Event',
  json: 'JSON',
  inbox: 'Inbox',
  pulledEvents: 'Pulled events',
  storefront: 'Storefront',
  no: 'No',
  newestReviews: 'Newest reviews',
  viewReview: 'View review',
  askMember: 'Ask a member of the account to do it, or an owner to make you a member.',
} as const

export const fieldTexts = {
  passwordRule: 'At least 10 characters',
  nameMissing: 'Enter your name',
  emailInvalid: 'Enter a valid e-mail address',
  passwordTooShort: 'Use at least 10 characters',
  codeInvalid: 'Enter the six digits',
  urlInvalid: 'Enter a full URL, such as https://example.com/radar',
  urlScheme: 'Use http or https',
} as const

export const filterTexts = {
  title: 'Filters',
  titleCount: (count: number) => `Filters (${count})`,
  show: (what: string) => `Show ${what}`,
  add: 'Filter',
  remove: (filter: string) => `Remove the filter ${filter}`,
  narrow: 'Find a value',
  noOption: 'No such value',
} as const

export const stateTexts = {
  notFound: (what: string) => `${what} not found`,
  notFoundNote: 'It was removed, or it belongs to another account.',
  noMatch: (what: string) => `No ${what} match these filters`,
  failed: 'Loading failed',
  tryAgain: 'Try again',
  loading: 'Loading',
  requestFailed: 'Request failed',
  unexpectedError: 'Unexpected error.',
  appsFailed: 'Loading your apps failed',
  noData: 'No data',
} as const

export const tableTexts = {
  lastHour: 'Last hour',
  last24Hours: 'Last 24 hours',
  last7Days: 'Last 7 days',
  last30Days: 'Last 30 days',
  anyTime: 'Any time',
  clearField: (field: string) => `Clear ${field}`,
  export: 'Export',
  exported: (what: string) => `All ${what} that match the filters`,
  csv: 'CSV',
  jsonLines: 'JSON Lines',
  loadMore: (what: string) => `Load more ${what}`,
  actions: 'Actions',
  selected: (count: number) => `${number(count)} selected`,
  clearSelection: 'Clear selection',
  selectAll: 'Select all shown',
  ascending: (name: string) => `${name}, ascending`,
  descending: (name: string) => `${name}, descending`,
  sortBy: 'Sort by',
  defaultOrder: 'Default order',
  clearSorting: 'Clear sorting',
  select: (name: string) => `Select ${name}`,
} as const

export const requestTexts = {
  unreachable: 'Review Radar is unreachable. Check that it is running.',
  httpStatus: (status: number) => `The server answered HTTP ${status}.`,
} as const

export const bulkTexts = {
  unchanged: (count: number) => `${number(count)} unchanged`,
  failed: (count: number, done: string) => `${number(count)} could not be ${done}`,
  changed: (count: number, done: string) => `${number(count)} ${done}`,
  paused: 'paused',
  resumed: 'resumed',
  retried: 'retried',
} as const

export const healthTexts = {
  waiting: 'Not checked yet',
  well: 'The last check succeeded',
  unrated: 'The store shows no rating of this app here yet',
  stale: 'The store’s last response could not be used',
  blocked: 'The store blocks requests. Checks are paused.',
  gone: 'The store does not list this app in this storefront',
  changed: 'The store changed the format of its responses',
} as const

export const browserTexts = {
  unknown: 'Unknown browser',
  on: (browser: string, system: string) => `${browser} on ${system}`,
} as const

export const changeTexts = {
  new: 'new',
  points: (count: number) => counted(count, 'point'),
} as const

export const ratingTexts = {
  ratings: (count: number) => `${compact(count)} ${count === 1 ? 'rating' : 'ratings'}`,
  ofFive: (rating: number) => `${rating} of 5 stars`,
} as const
