import { isTimeZone } from '../../src/model/days.ts'

/**
 * The console's texts are English, so numbers and dates follow the first English locale of the browser: 11/22 in the
 * United States, 22 Nov in the United Kingdom.
 */
export const LOCALE = navigator.languages?.find((tag) => /^en(-[a-z0-9]+)*$/i.test(tag)) ?? 'en'

/** The viewer's time zone. Reports count by its days. */
export const ZONE = zoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** UTC for a zone that formats cannot use: a browser that cannot name the zone of its machine calls it `Etc/Unknown`. */
export function zoneOf(name: string | undefined): string {
  return name !== undefined && isTimeZone(name) ? name : 'UTC'
}
