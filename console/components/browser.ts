import { browserTexts } from '../messages/common.ts'

/** In order: the user agent of a browser also names the browsers after it. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const
const OTHER_CHARS_MAX = 60

/** "Firefox on Linux", or the start of the user agent of other programs. */
export function browserOf(userAgent: string | null): string {
  if (userAgent === null) return browserTexts.unknown
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return userAgent.slice(0, OTHER_CHARS_MAX)
  return system === undefined ? browser : browserTexts.on(browser, system)
}
