import type { AppPage } from '../../src/contract/console/apps.ts'

/** A version of an app, and when its first review or the version itself came. */
export type AppVersion = { readonly version: string; readonly firstAt: string }

export type VersionFacts = {
  readonly versions: readonly Pick<AppPage['versions'][number], 'version' | 'firstSeenAt'>[]
  readonly releases: AppPage['releases']
}

/** An app's page lists the versions with most reviews, at most this many. */
const LISTED_MAX = 50

/**
 * The versions of listings, each since its first review, the newest first. A release that a full list lacks is a version
 * with few reviews; one that another list lacks has none.
 */
export function versionsOf(pages: readonly VersionFacts[]): AppVersion[] {
  const first = new Map<string, number>()
  for (const { versions, releases } of pages) {
    const listed = new Set(versions.map(({ version }) => version))
    const unlisted =
      versions.length < LISTED_MAX ? [] : releases.filter(({ version }) => !listed.has(version))
    for (const { version, at } of [
      ...versions.map(({ version, firstSeenAt }) => ({ version, at: firstSeenAt })),
      ...unlisted,
    ]) {
      if (version === null) continue
      first.set(version, Math.min(first.get(version) ?? Number.POSITIVE_INFINITY, Date.parse(at)))
    }
  }
  return [...first]
    .sort(([a, aFirst], [b, bFirst]) => compareVersions(b, a) || bFirst - aFirst)
    .map(([version, firstAt]) => ({ version, firstAt: new Date(firstAt).toISOString() }))
}

/**
 * By their numbers: 5.10 is newer than 5.9, and 5.1.1 than 5.1. Dates of reviews do not tell the order, since an old version
 * may get its first review late. Zero if the numbers are equal, as of 5.1 and 5.1-beta.
 */
export function compareVersions(a: string, b: string): number {
  const [numbersA, numbersB] = [numbersOf(a), numbersOf(b)]
  for (let at = 0; at < Math.max(numbersA.length, numbersB.length); at++) {
    const difference = (numbersA[at] ?? 0) - (numbersB[at] ?? 0)
    if (difference !== 0) return difference
  }
  return numbersA.length - numbersB.length
}

/** Those before a suffix such as `-beta`; none of a text without numbers, which is older than all others. */
function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0].split('.') ?? []).map(Number)
}
