/**
 * Every page of the console, in the syntax of its router: `$name` stands for one segment. The server answers these with
 * the console and any other path with 404; a test compares them with the router.
 */
export const CONSOLE_PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/accept/$token',
  '/reset-password/$token',
  '/getting-started',
  '/apps',
  '/apps/add',
  '/apps/$store/$appId',
  '/reviews',
  '/reviews/$fingerprint',
  '/destinations',
  '/destinations/new',
  '/destinations/$id',
  '/deliveries',
  '/deliveries/$eventId',
  '/dead-letters',
  '/account',
  '/audit-log',
  '/system',
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

/** One trailing slash changes nothing: the router takes it too. `//` is two empty segments and no page. */
function segmentsOf(path: string): string[] {
  return path
    .replace(/^\//, '')
    .replace(/(?<=[^/])\/$/, '')
    .split('/')
}
