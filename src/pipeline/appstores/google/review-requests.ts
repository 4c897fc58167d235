/**
 * The requests for newest reviews, as data: what changes when Play moves a field. Devices in a request are 2 for phones, 3 for
 * tablets, 4 for watches, 5 for Chromebooks and 6 for TVs (measured 2026-09).
 */

/** Newest first; 1 is the most relevant first, 3 is by rating. */
const NEWEST = 2
const PHONE = 2
/** The page size of Play's own clients; 150 rows have 0.13 MB. */
export const REVIEWS_PER_PAGE = 150
/** The position of the device among the filters of the second rpc. */
const DEVICE = 8

export type ReviewRequest = {
  /** The `source` of answers and cursors. */
  readonly source: string
  readonly rpcId: string
  readonly request: (appId: string, token: string | null) => unknown
}

/**
 * In the order of requests. The first rpc has served scrapers since 2019, and one without filters has the reviews of all devices
 * (measured 2026-09). The second is the one that Play's own page declares. Without a device its order was by relevance once
 * (reported 2023-07), so the order of its rows decides whether the last request is needed, which has the reviews of phones only.
 */
export const REVIEW_REQUESTS: readonly ReviewRequest[] = [
  {
    source: 'UsvDTd',
    rpcId: 'UsvDTd',
    request: (appId, token) => [
      null,
      null,
      [2, NEWEST, [REVIEWS_PER_PAGE, null, token], null, []],
      [appId, 7],
    ],
  },
  { source: 'oCPfdb', rpcId: 'oCPfdb', request: filtered(null) },
  { source: 'oCPfdb_phone', rpcId: 'oCPfdb', request: filtered(PHONE) },
]

function filtered(device: number | null): ReviewRequest['request'] {
  const filters = Array.from({ length: DEVICE + 1 }, (_, index) => (index === DEVICE ? device : null))
  return (appId, token) => [null, [2, NEWEST, [REVIEWS_PER_PAGE, null, token], null, filters], [appId, 7]]
}
