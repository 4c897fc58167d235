/** Requests to Play and positions in its answers, as data: what changes when Play moves a field. */

/** Newest first; 1 is the most relevant first, 3 is by rating. */
const NEWEST = 2
/** 3 is a tablet, 4 a watch, 5 a Chromebook, 6 a TV (measured 2026-09). */
const PHONE = 2
/** The page size of Play's own clients; 150 rows have 0.13 MB. */
export const REVIEWS_PER_PAGE = 150
/**
 * Of a poll that reads many pages. 4,500 rows work for others, 5,000 get no data (C 2026-09); 750 have 0.7 MB. Two of them after the first
 * page end a first poll before the 2,000 reviews that a change to an official source compares.
 */
export const REVIEWS_PER_LARGE_PAGE = 750
/** The position of the device among the filters of the second rpc. */
const DEVICE = 8

export type ReviewRequest = {
  /** The `source` of answers and cursors. */
  readonly source: string
  readonly rpcId: string
  readonly request: (appId: string, token: string | null, rows: number) => unknown
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
    request: (appId, token, rows) => [null, null, [2, NEWEST, [rows, null, token], null, []], [appId, 7]],
  },
  { source: 'oCPfdb', rpcId: 'oCPfdb', request: filtered(null) },
  { source: 'oCPfdb_phone', rpcId: 'oCPfdb', request: filtered(PHONE) },
]

function filtered(device: number | null): ReviewRequest['request'] {
  const filters = Array.from({ length: DEVICE + 1 }, (_, index) => (index === DEVICE ? device : null))
  return (appId, token, rows) => [null, [2, NEWEST, [rows, null, token], null, filters], [appId, 7]]
}

/** The rpc for the versions of an edited review. */
export const HISTORY_RPC = 'UsvDTd'

/** The rpc of an app's data on its page. It occurs twice; the other block has the rating of one device type (seen 2026-07). */
export const APP_RPC = 'Ws7gDc'

/**
 * Positions of a review's fields in its row. Checked on 300 rows of 2026-07 and on rows of 2019, 2021 and 2026-04. The length of a row
 * varies (13, 15, 17). Only id, stars and date are required.
 */
export const ROW = {
  id: [0],
  author: [1, 0],
  stars: [2],
  title: [3],
  body: [4],
  /** `[seconds, nanoseconds]` */
  shownAt: [5],
  reply: [7],
  replyText: [7, 1],
  replyAt: [7, 2],
  appVersion: [10],
  hasHistory: [14, 0],
} as const

/** Positions in an app's data. */
export const APP_NODE = {
  name: [0, 0],
  /** `[[text, score], histogram, [text, count], …]`; null, `[]` or zeros for an app without ratings (seen 2025, 2026). */
  rating: [51],
  developer: [68, 0],
  appId: [77, 0],
  iconUrl: [95, 0, 3, 2],
  version: [140, 0, 0, 0],
  /** Seconds; "Updated on" (recorded 2026-06). */
  updatedAt: [145, 0, 1, 0],
} as const
