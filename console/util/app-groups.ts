/** A listing of an app in one store. */
export type Listing = {
  readonly store: string
  readonly name: string | null
  readonly developer: string | null
}

/**
 * Groups listings by app: an App Store and a Google Play listing with the same title and developer are a pair. All others
 * are single. Groups and their listings keep the order of `listings`.
 */
export function appGroups<L extends Listing>(listings: readonly L[]): (readonly L[])[] {
  const grouped = new Set<L>()
  return listings.flatMap((listing) => {
    if (grouped.has(listing)) return []
    grouped.add(listing)
    const other = listings.find(
      (each) => !grouped.has(each) && each.store !== listing.store && isSameApp(each, listing),
    )
    if (other === undefined) return [[listing]]
    grouped.add(other)
    return [[listing, other]]
  })
}

function isSameApp(a: Listing, b: Listing): boolean {
  const [title, developer] = [titleOf(a), developerOf(a)]
  return title !== '' && developer !== '' && title === titleOf(b) && developer === developerOf(b)
}

/** Cuts the subtitle, which differs between stores: "Larkspur: Notes & Tasks", "Larkspur - Notes". */
function titleOf({ name }: Listing): string {
  return plain((name ?? '').split(/\s[-–—|·]\s|[:(]/, 1)[0] ?? '')
}

const LEGAL_FORM =
  /\b(?:inc|incorporated|llc|ltd|limited|gmbh|ag|ab|as|oy|bv|nv|sa|sarl|srl|spa|co|corp|corporation|company|pty|plc)\b/g

function developerOf({ developer }: Listing): string {
  const words = (developer ?? '').toLowerCase().replaceAll('.', '').replace(LEGAL_FORM, ' ')
  return plain(words)
}

/** Letters and digits of any script, without case and accents. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
