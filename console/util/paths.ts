/** The only maker of the console's own addresses. */
const part = encodeURIComponent

export const paths = {
  overview: () => '/',
  apps: () => '/apps',
  addApp: () => '/apps/add',
  app: (store: string, appId: string) => `/apps/${part(store)}/${part(appId)}`,
  reviews: () => '/reviews',
  review: (fingerprint: string) => `/reviews/${part(fingerprint)}`,
  destinations: () => '/destinations',
  newDestination: () => '/destinations/new',
  destination: (id: string) => `/destinations/${part(id)}`,
  deliveries: () => '/deliveries',
  delivery: (eventId: string) => `/deliveries/${part(eventId)}`,
  deadLetters: () => '/dead-letters',
  account: () => '/account',
  system: () => '/system',
  gettingStarted: () => '/getting-started',
  signIn: () => '/sign-in',
  setup: () => '/setup',
  accept: (token: string) => `/accept/${part(token)}`,
} as const
