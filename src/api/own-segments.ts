import { CONSOLE_PAGES } from '../contract/console/pages.ts'

/** First segments of the service's own paths. A proxy that removes the base path would make both the same. */
export const OWN_SEGMENTS = new Set([
  ...['api', 'assets', 'atom', 'docs', 'healthz', 'mcp', 'metrics', 'readyz', 'schemas', 'unsubscribe'],
  ...CONSOLE_PAGES.map((page) => page.split('/')[1]).filter((segment) => segment !== ''),
])
