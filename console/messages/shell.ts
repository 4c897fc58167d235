/** Texts of the frame around every page: navigation, user menu, command palette, and pages that do not exist. */

export const shellTexts = {
  overview: 'Overview',
  apps: 'Apps',
  reviews: 'Reviews',
  inbox: 'Inbox',
  destinations: 'Destinations',
  deliveries: 'Deliveries',
  deadLetters: 'Dead letters',
  account: 'Account',
  system: 'System',
  skip: 'Skip to content',
  closeNavigation: 'Close navigation',
  openNavigation: 'Open navigation',
  pages: 'Pages',
  switchToLight: 'Switch to light theme',
  switchToDark: 'Switch to dark theme',
  userMenu: (account: string, user: string) => `${account}, signed in as ${user}`,
  gettingStarted: 'Getting started',
  apiReference: 'API reference',
  signOut: 'Sign out',
  home: 'Review Radar, overview',
  product: 'Review Radar',
  notFoundTitle: 'Page not found',
  notFoundAbout: 'Check the address, or start from the overview.',
} as const

export const commandTexts = {
  openKeys: '⌘ K or Ctrl K',
  openAbout: 'Go to a page, an app or a saved view',
  nextReview: 'Next review',
  previousReview: 'Previous review',
  showShortcuts: 'Show keyboard shortcuts',
  goToKeys: 'Go to… (Ctrl K)',
  goTo: 'Go to',
  shortcuts: 'Keyboard shortcuts',
  shortcutsNote: 'Shortcuts are off while you type in a field.',
  pages: 'Pages',
  actions: 'Actions',
  addApp: 'Add an app',
  addDestination: 'Add a destination',
  apps: 'Apps',
  views: 'Saved views',
  nothingFound: 'Nothing found',
  goToField: 'Go to…',
} as const

export const brokenTexts = {
  title: 'Something went wrong',
  note: 'The console hit an internal error. Reload the page. If it happens again, report the details.',
  reload: 'Reload the page',
  copyDetails: 'Copy details',
} as const
