/**
 * Every page of the console, in the syntax of its router: `$name` is one segment. The server serves the console at these paths and answers
 * 404 at any other. A test compares them with the router.
 */
export const CONSOLE_PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/choose-account',
  '/second-factor',
  '/accept/$token',
  '/reset-password/$token',
  '/getting-started',
  '/apps',
  '/apps/add',
  '/apps/$store/$appId',
  '/apps/$store/$appId/$section',
  '/reviews',
  '/to-answer',
  '/compare',
  '/reviews/$fingerprint',
  '/inbox',
  '/destinations',
  '/destinations/new',
  '/destinations/$id',
  '/deliveries',
  '/deliveries/$eventId',
  '/dead-letters',
  '/stores',
  '/account',
  '/account/$section',
  '/audit-log',
  '/status',
  '/system',
  '/system/$section',
] as const

const PATTERNS = CONSOLE_PAGES.map((page) => segmentsOf(page))

/** Whether a path, still percent-encoded and without its query, is a page of the console. */
export function isConsolePage(path: string): boolean {
  const segments = segmentsOf(path)
  return PATTERNS.some(
    (pattern) =>
      pattern.length === segments.length &&
      pattern.every((part, at) => (part.startsWith('$') ? segments[at] !== '' : part === segments[at])),
  )
}

/** Ignores one trailing slash, as the router does. `//` has two empty segments and is not a page. */
function segmentsOf(path: string): string[] {
  return path
    .replace(/^\//, '')
    .replace(/(?<=[^/])\/$/, '')
    .split('/')
}
