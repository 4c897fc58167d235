import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reviewRow } from '../../simulate/google/wire.ts'
import { parsePageReviews } from './apple/app-page.ts'
import { parseFeedJson } from './apple/feed-json.ts'
import { parseFeedXml } from './apple/feed-xml.ts'
import { parseApps } from './apple/lookup.ts'
import { parseUserReviews } from './apple/user-reviews-row.ts'
import { parseWebReviews } from './apple/web-reviews.ts'
import { readRpcAnswer } from './google/batchexecute.ts'
import { readRows } from './google/review-rows.ts'

/** Valid answers with parts deleted, replaced or truncated: no parser throws, and no valid row is lost. */

const ROWS = 9
const ids = Array.from({ length: ROWS }, (_, n) => String(7_000_000_000 + n))
const label = (text: string) => ({ label: text })
const shownAt = '2026-03-01T04:05:06-07:00'

const feed = {
  feed: {
    entry: ids.map((id) => ({
      id: label(id),
      author: { name: label('Somebody') },
      updated: label(shownAt),
      'im:rating': label('4'),
      title: label('A title'),
      content: { label: 'A text', attributes: { type: 'text' } },
    })),
    link: [{ attributes: { rel: 'last', href: 'https://itunes.example/us/rss/page=2/id=1/xml' } }],
  },
}
const web = {
  data: ids.map((id) => ({
    id,
    type: 'user-reviews',
    attributes: { rating: 4, title: 'T', review: 'R', userName: 'U', date: shownAt, isEdited: false },
  })),
}
const row = {
  userReviewList: ids.map((id) => ({
    userReviewId: id,
    rating: 4,
    title: 'T',
    body: 'B',
    name: 'N',
    date: shownAt,
  })),
}
const page = [
  { shelf: ids.map((id) => ({ $kind: 'Review', id, rating: 4, title: 'T', contents: 'C', date: shownAt })) },
]
const lookup = {
  results: ids.map((id) => ({
    trackId: Number(id),
    trackName: 'A',
    averageUserRating: 4,
    userRatingCount: 9,
  })),
}
const google = [
  ids.map((id) =>
    reviewRow({
      id,
      author: 'A',
      stars: 4,
      title: null,
      body: 'B',
      shownAt: new Date(shownAt),
      version: '1',
      edited: false,
    }),
  ),
  [null, null],
]

type Rows = {
  readonly reviews: readonly { readonly reviewId: string }[]
  readonly malformed: readonly { rowKey: string }[]
}
/** Null for a changed format. */
type Read = (answer: unknown) => Rows | null

/** Name, a valid answer, the depth of its rows, and its parser. */
const parsers: readonly (readonly [string, unknown, number, Read])[] = [
  ['feed', feed, 3, (answer) => readOf(parseFeedJson(answer))],
  ['web', web, 2, (answer) => readOf(parseWebReviews(answer))],
  ['row', row, 2, (answer) => readOf(parseUserReviews(answer))],
  ['page', page, 3, (answer) => readOf(parsePageReviews(JSON.stringify(answer) ?? ''))],
  [
    'google',
    google,
    2,
    (answer) => {
      const rows = readRows(answer)
      return rows.kind === 'rows' ? rows : null
    },
  ],
]

function readOf<T>(answer: { kind: 'parsed'; value: T } | { kind: 'changed'; detail: string }): T | null {
  if (answer.kind === 'changed') assert.ok(answer.detail.length > 0)
  return answer.kind === 'parsed' ? answer.value : null
}

/** Paths of all nodes below the root. */
function pathsOf(value: unknown, at: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    return [path, ...pathsOf(child, path)]
  })
}

const DELETE = Symbol('delete')
/** A copy of the value, so that no two places share one. */
const copyOf = (to: unknown): unknown => (typeof to === 'object' ? structuredClone(to) : to)

function mutate(root: unknown, path: readonly (string | number)[], to: unknown): void {
  let node = root as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) {
    const next = node[key]
    if (typeof next !== 'object' || next === null) return
    node = next as Record<string | number, unknown>
  }
  const last = path.at(-1) ?? ''
  if (Array.isArray(node)) {
    // Appends when an earlier change shortened the list: JSON has no lists with holes.
    const index = Math.min(Number(last), node.length)
    if (to === DELETE) node.splice(index, 1)
    else node[index] = to
  } else if (to === DELETE) delete node[last]
  else node[last] = to
}

const replacement = fc.oneof(
  fc.constant(DELETE),
  fc.jsonValue(),
  fc.constantFrom(null, '', 0, -1, 4.5, '0', '4', 'a\u0000b', '\uD800', [], {}, [[]], { label: null }),
)

for (const [name, valid, depth, read] of parsers) {
  const paths = pathsOf(valid)

  test(`${name}: a mutated answer is parsed or a changed format, and never throws`, () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...paths), replacement), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(changes, (list) => {
        const answer = structuredClone(valid)
        for (const [path, to] of list) mutate(answer, path, copyOf(to))
        const rows = read(answer)
        for (const review of rows?.reviews ?? []) assert.ok(review.reviewId.length > 0)
      }),
      { numRuns: 600 },
    )
  })

  test(`${name}: mutations in a third of the rows lose no other row`, () => {
    const rowPaths = (id: string) => {
      const idPath = paths.find((path) => get(valid, path) === id) ?? []
      const rowPath = idPath.slice(0, depth)
      return paths.filter((path) => path.length > depth && rowPath.every((step, n) => path[n] === step))
    }
    const touched = fc.subarray(ids, { minLength: 1, maxLength: ROWS / 3 })
    const change = fc.tuple(fc.nat(), replacement)
    fc.assert(
      fc.property(touched, fc.array(change, { minLength: 1, maxLength: 6 }), (some, list) => {
        const answer = structuredClone(valid)
        const open = some.map(rowPaths)
        for (const [n, [pick, to]] of list.entries()) {
          const choices = open[n % open.length] ?? []
          mutate(answer, choices[pick % choices.length] ?? [], copyOf(to))
        }
        const rows = read(answer)
        assert.ok(rows !== null, 'a third of malformed rows is not a changed format')
        const shown = rows.reviews.map((review) => review.reviewId)
        for (const id of ids) if (!some.includes(id)) assert.ok(shown.includes(id), `${id} is lost`)
      }),
      { numRuns: 600 },
    )
  })
}

test('lookup: a mutated answer never throws', () => {
  const paths = pathsOf(lookup)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), replacement), { maxLength: 8 }), (list) => {
      const answer = structuredClone(lookup)
      for (const [path, to] of list) mutate(answer, path, copyOf(to))
      assert.ok(['parsed', 'changed'].includes(parseApps(answer).kind))
    }),
  )
})

const xml = `<feed><link rel="last" href="https://x.example/page=2/id=1/xml"/>${ids
  .map(
    (id) =>
      `<entry><updated>${shownAt}</updated><id>${id}</id><title>T</title><content type="text">A</content><im:rating>4</im:rating></entry>`,
  )
  .join('')}</feed>`
const framed = `)]}'\n\n${JSON.stringify([['wrb.fr', 'UsvDTd', JSON.stringify(google), null, null, null, 'generic']])}`

test('a body truncated anywhere, with any text after it, is parsed or a changed format', () => {
  const bodies = [xml, framed, JSON.stringify(feed), JSON.stringify(page)]
  fc.assert(
    fc.property(
      fc.constantFrom(...bodies),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.string(),
      (body, share, rest) => {
        const text = body.slice(0, Math.floor(body.length * share)) + rest
        assert.ok(['parsed', 'changed'].includes(parseFeedXml(text).kind))
        assert.ok(['parsed', 'changed'].includes(parsePageReviews(text).kind))
        const answer = readRpcAnswer(text, 'UsvDTd')
        if (answer.kind === 'payload') readRows(answer.payload)
      },
    ),
    { numRuns: 600 },
  )
})

test('an answer nested thousands of levels deep never throws', () => {
  for (const depth of [1_000, 6_000, 50_000]) {
    const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    for (const [name, valid, , read] of parsers.filter(([name]) => name !== 'page')) {
      read(deep)
      const answer = structuredClone(valid)
      const path = pathsOf(valid).find((one) => get(valid, one) === ids[0]) ?? []
      mutate(answer, path, deep)
      const rows = read(answer)
      assert.equal(rows?.reviews.length, ROWS - 1, `${name} at ${depth}`)
      assert.equal(rows?.malformed.length, 1)
    }
    parsePageReviews(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    parseApps({ results: [{ trackId: 1, trackName: 'A', averageUserRating: deep, userRatingCount: 1 }] })
    const frame = `["wrb.fr","UsvDTd",null,null,null,${'['.repeat(depth)}${']'.repeat(depth)}]`
    assert.equal(readRpcAnswer(`)]}'\n[${frame}]`, 'UsvDTd').kind, 'null')
  }
})

function get(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown> | null)?.[key], value)
}
