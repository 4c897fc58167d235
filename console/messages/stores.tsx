import type { ReactNode } from 'react'
import { counted, number } from '../util/numbers.ts'

/** Texts of the stores page and of its connections. */

export const storesTexts = {
  connect: 'Connect a store',
  title: 'Stores',
  about: 'Access to your own apps through App Store Connect and the Google Play Developer API.',
  emptyTitle: 'No store is connected',
  emptyNote:
    'For apps that you publish, the App Store’s API returns every review, Google Play’s those of the last seven days. Both accept answers.',
  keyNeeded: 'You need an App Store Connect API key or a Google Play service account.',
  ownersOnly: 'Ask an owner of the account to connect a store.',
} as const

export const connectionTexts = {
  accepted: 'The store accepted the credentials.',
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeBody:
    'The stored credentials are deleted at once. The apps stay tracked, with reviews from the public pages. Reviews can no longer be answered here. The key stays valid until you revoke it in the store.',
  remove: 'Remove',
  removed: 'Connection removed.',
  about: (kind: string, subject: string, tested: ReactNode) => (
    <>
      {kind} · {subject} · Tested {tested}
    </>
  ),
  test: 'Test',
  edit: 'Edit',
  replaceKey: 'Replace key',
  connected: 'Connected',
  refused: 'Refused by the store',
  noApps: 'These credentials have access to no apps.',
  mayAnswer: 'Can answer reviews',
  mayNotAnswer: 'Cannot answer reviews',
  answerUnknown: 'Answering not verified yet',
} as const

export const reachedAppTexts = {
  tracked: 'You now track the app, with reviews from this connection.',
  label: 'Apps of this connection',
  app: 'App',
  storefronts: 'Storefronts',
  reviewsFrom: 'Reviews from',
  notTracked: 'Not tracked',
  trackApp: (name: string) => `Track ${name}`,
  track: 'Track',
  ofApp: (name: string) => `of ${name}`,
  useConnection: 'Use this connection',
  usePublicPages: 'Use public pages',
  forApp: (name: string) => `for ${name}`,
  publicPages: 'Public pages',
  failing: 'Failing',
  thisConnection: 'This connection',
  changing: 'Switching to this connection',
  lastCheck: (at: ReactNode) => <>Last check {at}</>,
  importHistory: 'Import history',
  stopImport: 'Stop import',
  resumeImport: 'Resume import',
  importAgain: 'Import history again',
  importCounts: (reviews: number, added: number) => `${number(reviews)} reviews read, ${number(added)} new`,
  importing: 'Importing history',
  imported: 'History imported',
  importStopped: 'Import stopped',
  importFailed: 'Import failed',
  importProgress: 'Progress of the import',
} as const

export const credentialTexts = {
  done: (apps: number) => `Connected. The credentials have access to ${counted(apps, 'app')}.`,
  connectTitle: 'Connect a store',
  replaceTitle: (name: string) => `Replace the key of “${name}”`,
  storeLabel: 'Store',
  nameNote: 'Optional; shown in the list of connections.',
  keyNote: 'The service tests the key with the store, stores it encrypted and never shows it again.',
  testAndConnect: 'Test and connect',
  testAndReplace: 'Test and replace',
  saved: 'Saved.',
  editTitle: (name: string) => `Edit “${name}”`,
  packageNames: 'Package names',
  packageNamesTested: 'One per line. The service tests each of them.',
  serviceAccount: 'Service account key',
  serviceAccountNote:
    'The JSON key of a service account that is invited in the Play Console, with permission to view app information and to reply to reviews.',
  serviceAccountFile: 'Choose the JSON file',
  packageNamesNote: 'One per line. Google has no list of apps.',
  packageNamePlaceholder: 'com.example.app',
  reportsBucket: 'Reports bucket',
  reportsBucketNote:
    'Optional, for reviews older than a week. Play Console → Download reports → Reviews → Copy Cloud Storage URI.',
  reportsBucketPlaceholder: 'gs://pubsite_prod_rev_0123456789',
  privateKey: 'Private key',
  privateKeyNote:
    'App Store Connect → Users and Access → Integrations → App Store Connect API. The .p8 file can be downloaded once.',
  privateKeyFile: 'Choose the .p8 file',
  keyId: 'Key ID',
  keyIdPlaceholder: '2X9R4HXF34',
  issuerId: 'Issuer ID',
  issuerIdNote: 'Above the list of team keys. Leave it empty for an individual key.',
  issuerIdPlaceholder: '57246542-96fe-1a63-e053-0824d011072a',
} as const
