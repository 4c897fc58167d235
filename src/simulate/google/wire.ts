/**
 * Play's answers in the known formats: RPC frames, review rows, pages. Only fields that clients read have data. The others are null, as
 * most of them are in real answers.
 */

import type { WorldRelease } from '../world.ts'

export type WireReview = {
  readonly id: string
  readonly author: string | null
  readonly stars: number
  readonly title: string | null
  readonly body: string | null
  readonly shownAt: Date
  readonly version: string | null
  readonly edited: boolean
  readonly reply?: { readonly text: string; readonly writtenAt: Date } | null
}

export type WireApp = {
  readonly appId: string
  readonly name: string
  readonly developer: string
  readonly iconUrl: string | null
  /** `average` with all its digits; null for an app without ratings. */
  readonly rating: { readonly average: string; readonly count: number } | null
  readonly release?: WorldRelease
}

/** An RPC answer. Play answers with a null payload when it limits the rate; then `error` is set. */
export function rpcAnswer(
  rpcId: string,
  payload: unknown,
  form: { readonly chunked?: boolean; readonly error?: unknown } = {},
): string {
  const json = payload === null ? null : JSON.stringify(payload)
  const frame = ['wrb.fr', rpcId, json, null, null, form.error ?? null, 'generic']
  const ends = [
    ['di', 54],
    ['af.httprm', 54, '-2365148840472433355', 17],
  ]
  if (form.chunked !== true) return `)]}'\n\n${JSON.stringify([frame, ...ends])}`
  const chunks = [[frame], ends].map((part) => `${JSON.stringify(part)}\n`)
  return `)]}'\n\n${chunks.map((chunk) => `${Buffer.byteLength(chunk)}\n${chunk}`).join('')}`
}

/** A row with 17 fields. The date has nanoseconds, as in Play's answers, unless it is a whole second. */
export function reviewRow(review: WireReview): unknown[] {
  const picture = [null, 2, null, [null, null, 'https://play-lh.googleusercontent.com/a/simulated']]
  const row: unknown[] = new Array(17).fill(null)
  row[0] = review.id
  row[1] = [review.author, picture]
  row[2] = review.stars
  row[3] = review.title
  row[4] = review.body
  row[5] = dateOf(review.shownAt)
  row[6] = 0
  if (review.reply != null) row[7] = ['The developer', review.reply.text, dateOf(review.reply.writtenAt)]
  row[9] = ['100000000000000000000', review.author, null, [picture, true], picture]
  row[10] = review.version
  row[14] = review.edited ? [true, false] : null
  row[16] = 1
  return row
}

function dateOf(instant: Date): number[] {
  const milliseconds = instant.getTime()
  const seconds = Math.floor(milliseconds / 1000)
  const nanos = (milliseconds - seconds * 1000) * 1_000_000
  return nanos === 0 ? [seconds] : [seconds, nanos]
}

/** `[rows, [null, token]]`; `[]` without rows and token, as in Play's answers. */
export function reviewsPayload(reviews: readonly WireReview[], token: string | null): unknown[] {
  if (reviews.length === 0 && token === null) return []
  return [reviews.map(reviewRow), [null, token]]
}

/** A small app page with the data blocks, the table of requests and the linked data of real pages. */
export function detailsPage(app: WireApp): string {
  const device: unknown[] = [['0.0', 0], null, ['0', 0], ['0', 0], null, [[]]]
  const blocks = {
    'ds:2': { rpcId: 'X5bnOb', data: [0] },
    'ds:5': { rpcId: 'Ws7gDc', data: [[[[]]], [null, null, appNode(app)]] },
    'ds:8': {
      rpcId: 'Ws7gDc',
      data: [[[[]]], [null, null, [{ '52': device }], { '12': [[app.appId, 7]] }]],
    },
    'ds:9': { rpcId: 'oCPfdb', data: [[], [null, null]] },
  }
  return pageOf(app.name, blocks, `<script type="application/ld+json">${inScript(linkedData(app))}</script>`)
}

/** A search page. The exact match is separate from the list, as in Play's page. */
export function searchPage(term: string, exact: WireApp | null, apps: readonly WireApp[]): string {
  const section: unknown[] = new Array(24).fill(null)
  section[22] = [apps.map((app) => [searchItem(app)]), [null, null, null, [null, null]]]
  if (exact !== null) {
    const match: unknown[] = new Array(17).fill(null)
    match[16] = [null, null, appNode(exact), { '12': [[exact.appId, 7]] }]
    section[23] = match
  }
  const sections = exact === null && apps.length === 0 ? [[null, null, ['No results']]] : [section]
  const blocks = {
    'ds:2': { rpcId: 'X5bnOb', data: [0] },
    'ds:4': { rpcId: 'lGYRle', data: [[null, sections]] },
  }
  return pageOf(`${term} - Android Apps on Google Play`, blocks, '')
}

export function appNode(app: WireApp): unknown[] {
  const node: unknown[] = new Array(146).fill(null)
  node[0] = [app.name]
  node[37] = [app.developer]
  node[51] = ratingSlot(app.rating)
  node[68] = [
    app.developer,
    [null, null, null, null, [null, null, `/store/apps/developer?id=${encodeURIComponent(app.developer)}`]],
  ]
  node[77] = [app.appId]
  node[95] = [[null, 2, [512, 512], [null, null, app.iconUrl]], 2]
  node[140] = [[[app.release?.version ?? '1.0']]]
  if (app.release !== undefined) {
    const { releasedAt } = app.release
    node[145] = [[releasedAt.toDateString().slice(4), [Math.floor(releasedAt.getTime() / 1_000), 0]]]
  }
  return node
}

/** Play shows the score with six decimals here, and with all digits in the linked data. */
function ratingSlot(rating: WireApp['rating']): unknown[] {
  if (rating === null) return [['0.0', 0], null, ['0', 0], ['0', 0], null, [[]]]
  const score = Number(Number(rating.average).toFixed(6))
  const share = Math.floor(rating.count / 5)
  const histogram = [null, ...[1, 2, 3, 4, 5].map(() => [share.toLocaleString('en-US'), share])]
  return [
    [score.toFixed(1), score],
    histogram,
    [rating.count.toLocaleString('en-US'), rating.count],
    [share.toLocaleString('en-US'), share],
    null,
    [null, []],
  ]
}

function linkedData(app: WireApp): unknown {
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: app.name,
    url: `https://play.google.com/store/apps/details/App?id=${app.appId}&hl=en`,
    image: app.iconUrl,
    author: { '@type': 'Person', name: app.developer },
    ...(app.rating === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: app.rating.average,
            ratingCount: String(app.rating.count),
          },
        }),
    offers: [{ '@type': 'Offer', price: '0', priceCurrency: 'USD' }],
  }
}

function searchItem(app: WireApp): unknown[] {
  const score = app.rating === null ? 0 : Number(Number(app.rating.average).toFixed(6))
  const item: unknown[] = new Array(24).fill(null)
  item[0] = [app.appId, 7]
  item[1] = [null, 2, [512, 512], [null, null, app.iconUrl]]
  item[3] = app.name
  item[4] = [score.toFixed(1), score]
  item[10] = [null, null, null, null, [null, null, `/store/apps/details?id=${app.appId}`]]
  item[14] = app.developer
  return item
}

type Blocks = Readonly<Record<string, { readonly rpcId: string; readonly data: unknown }>>

function pageOf(title: string, blocks: Blocks, extra: string): string {
  const requests = Object.entries(blocks).map(([key, block]) => `'${key}' : {id:'${block.rpcId}',request:[]}`)
  const data = Object.entries(blocks).map(
    ([key, block], index) =>
      `<script class="${key}">AF_initDataCallback({key: '${key}', hash: '${index + 1}', data:${inScript(block.data)}, sideChannel: {}});</script>`,
  )
  return [
    `<!doctype html><html lang="en"><head><title>${escapeHtml(title)}</title>`,
    `<script>var AF_dataServiceRequests = {${requests.join(',')}}; var AF_initDataChunkQueue = [];</script>`,
    `${extra}</head><body id="yDmH0d">${data.join('')}</body></html>`,
  ].join('')
}

/** JSON for a script, with escaped markup characters, as in Play's pages. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&='\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
