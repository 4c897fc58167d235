import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { appNode, detailsPage, type WireApp } from '../../../simulate/google/wire.ts'
import { readDetails } from './details-page.ts'
import { blocksOf, linkedData } from './page-data.ts'

const app: WireApp = {
  appId: 'com.example.atlas',
  name: "Atlas: maps & <more> 'offline'",
  developer: 'Example Works',
  iconUrl: 'https://play-lh.example/icon',
  rating: { average: '4.315863132476807', count: 5_715_302 },
}

test('an app page has name, developer, icon, and the rating to six decimal places', () => {
  assert.deepEqual(readDetails(detailsPage(app), app.appId), {
    kind: 'details',
    source: 'details',
    app: {
      store: 'google',
      appId: app.appId,
      name: app.name,
      developer: 'Example Works',
      iconUrl: 'https://play-lh.example/icon',
      rating: { micros: 4_315_863, count: 5_715_302 },
      release: null,
    },
  })
})

test('an app page has the date of the newest version, which may have no name', () => {
  const releasedAt = new Date('2026-06-25T12:04:44Z')
  const page = detailsPage({ ...app, release: { version: '26.1', releasedAt } })
  const releaseIn = (text: string) => {
    const read = readDetails(text, app.appId)
    return read.kind === 'details' ? read.app.release : undefined
  }
  assert.deepEqual(releaseIn(page), { version: '26.1', releasedAt })
  assert.deepEqual(releaseIn(page.replace('"26.1"', 'null')), { version: null, releasedAt })
  assert.equal(releaseIn(page.replace(`[${releasedAt.getTime() / 1_000},0]`, '["soon"]')), null)
})

test('the data is found by its rpc when its number changes', () => {
  const moved = detailsPage(app).replaceAll("'ds:5'", "'ds:17'").replaceAll("'ds:8'", "'ds:5'")
  assert.equal(ratingOf(moved), '4315863 of 5715302')
})

test('the older form of the data is read too', () => {
  const older = detailsPage(app).replace(
    /(key: 'ds:5'), hash: '\d+', data:(.*?), sideChannel: \{\}\}\);<\/script>/,
    "$1, isError:  false , hash: '2', data:function(){return $2}});</script>",
  )
  assert.notEqual(older, detailsPage(app))
  assert.equal(ratingOf(withoutLinked(older)), '4315863 of 5715302')
})

test('an app without ratings has no rating', () => {
  const unrated = detailsPage({ ...app, rating: null })
  assert.equal(ratingOf(unrated), 'unrated')
  assert.equal(ratingOf(withoutLinked(unrated)), 'unrated')
})

/** The page of an app whose data has this value for the rating; undefined: its data ends before it. */
function withSlot(slot: unknown, rating: WireApp['rating'] = null): string {
  const plain = { ...app, name: 'Atlas', rating }
  const node = appNode(plain)
  const changed = slot === undefined ? node.slice(0, 51) : node.with(51, slot)
  const written = (value: unknown) => JSON.stringify(value).replaceAll('=', '\\u003d')
  const page = detailsPage(plain)
  assert.ok(page.includes(written(node)))
  return page.replace(written(node), () => written(changed))
}

test('an empty or missing field of the rating means that the app has none, unless the linked data has one', () => {
  assert.equal(ratingOf(withSlot([])), 'unrated')
  assert.equal(ratingOf(withSlot(null)), 'unrated')
  assert.equal(ratingOf(withSlot(undefined)), 'unrated')
  assert.equal(ratingOf(withSlot(undefined, app.rating)), '4315863 of 5715302')
  assert.match(ratingOf(withoutLinked(withSlot(undefined))), /no rating can be read/)
  assert.match(ratingOf(withSlot([['a new shape']])), /no rating can be read/)
})

test('an added position finds a rating that moved, and is not used while the built-in one fits', () => {
  const added = [{ rating: [51, '8'] }, { rating: [51, '7'] }]
  const slot = appNode({ ...app, name: 'Atlas' })[51]
  const moved = withoutLinked(withSlot({ 7: slot }))
  assert.match(ratingOf(moved), /no rating can be read/)
  assert.equal(ratingOf(moved, added), '4315863 of 5715302')
  assert.equal(ratingOf(withSlot(null), [{ rating: [0] }]), 'unrated')
})

test('linked data replaces missing page data and is named as the source', () => {
  const page = detailsPage(app).replaceAll('Ws7gDc', 'Xx0xXx')
  const read = readDetails(page, app.appId)
  assert.equal(read.kind === 'details' ? read.source : read.reason, 'ld+json')
  assert.equal(ratingOf(page), '4315863 of 5715302')
})

test('the page data is enough when the linked data is missing or has no rating', () => {
  assert.equal(ratingOf(withoutLinked(detailsPage(app))), '4315863 of 5715302')
  assert.equal(ratingOf(mixed(app, { ...app, rating: null })), '4315863 of 5715302')
})

test('two ratings that differ by rounding agree; otherwise the page is unreadable', () => {
  const near = { ...app, rating: { average: '4.315', count: 5_700_000 } }
  assert.equal(ratingOf(mixed(app, near)), '4315863 of 5715302')
  const byDevice = { ...app, rating: { average: '4.279334', count: 4_486_927 } }
  assert.match(ratingOf(mixed(app, byDevice)), /disagree.*4\.315863 of 5715302; 4\.279334 of 4486927/)
  const sameStars = { ...app, rating: { average: '4.315863', count: 4_486_927 } }
  assert.match(ratingOf(mixed(app, sameStars)), /disagree/)
  assert.match(ratingOf(mixed({ ...app, rating: null }, app)), /disagree.*none/)
})

test('missing linked data without a readable rating does not mean unrated', () => {
  const page = detailsPage({ ...app, rating: null }).replaceAll('Ws7gDc', 'Xx0xXx')
  assert.match(ratingOf(page), /no rating can be read/)
})

test('impossible values are not ratings', () => {
  for (const rating of [
    { average: '6.1', count: 10 },
    { average: '0.4', count: 10 },
    { average: '4.5', count: 0 },
    { average: '4.5', count: -3 },
    { average: '4.5', count: 1.5 },
  ]) {
    assert.match(ratingOf(detailsPage({ ...app, rating })), /no rating can be read/, JSON.stringify(rating))
  }
})

test('a page about another app is unreadable', () => {
  assert.match(ratingOf(detailsPage({ ...app, appId: 'com.example.other' })), /about com\.example\.other/)
  const onlyLinked = detailsPage({ ...app, appId: 'com.example.other' }).replaceAll('Ws7gDc', 'Xx0xXx')
  assert.match(ratingOf(onlyLinked), /about com\.example\.other/)
})

test('a page without data is unreadable', () => {
  for (const page of ['', '<!doctype html><html></html>', 'AF_dataServiceRequests']) {
    assert.match(ratingOf(page), /neither the data of an app nor its linked data/)
  }
  const nameless = detailsPage({ ...app, name: '' })
  assert.match(ratingOf(nameless), /no name/)
})

test('every possible rating is read unchanged', () => {
  const ratings = fc.record({
    average: fc.integer({ min: 1_000_000, max: 5_000_000 }).map((micros) => String(micros / 1e6)),
    count: fc.integer({ min: 1, max: 2_000_000_000 }),
  })
  fc.assert(
    fc.property(ratings, fc.string({ minLength: 1 }), (rating, name) => {
      const read = readDetails(detailsPage({ ...app, name, rating }), app.appId)
      assert.ok(read.kind === 'details', JSON.stringify(read))
      assert.equal(read.app.name, name)
      assert.deepEqual(read.app.rating, {
        micros: Math.round(Number(rating.average) * 1e6),
        count: rating.count,
      })
    }),
  )
})

test('the reader never throws for a truncated or damaged page', () => {
  const page = detailsPage(app)
  const damaged = fc
    .tuple(fc.nat(page.length), fc.nat(40), fc.string({ maxLength: 5 }))
    .map(([from, length, put]) => page.slice(0, from) + put + page.slice(from + length))
  const anyData = fc
    .jsonValue()
    .map((value) => page.replace(/data:\[\[\[\[\]\]\],/, () => `data:[${JSON.stringify(value)},`))
  fc.assert(
    fc.property(fc.oneof(damaged, anyData, fc.string()), (text) => {
      readDetails(text, app.appId)
    }),
  )
})

function ratingOf(page: string, added: Parameters<typeof readDetails>[2] = []): string {
  const read = readDetails(page, app.appId, added)
  if (read.kind === 'unreadable') return read.reason
  const { rating } = read.app
  return rating === null ? 'unrated' : `${rating.micros} of ${rating.count}`
}

function withoutLinked(page: string): string {
  return page.replace(/<script type="application\/ld\+json">.*?<\/script>/s, '')
}

/** A page with data of one app and linked data of another. */
function mixed(own: WireApp, linked: WireApp): string {
  const script = /<script type="application\/ld\+json">.*?<\/script>/s.exec(detailsPage(linked))?.[0] ?? ''
  return detailsPage(own).replace(/<script type="application\/ld\+json">.*?<\/script>/s, () => script)
}

test('a page with far more blocks and scripts than a real one is read up to the thousandth', () => {
  const numbers = Array.from({ length: 1_001 }, (_, index) => index)
  const blocks = numbers.map((number) => `AF_initDataCallback({key: 'ds:${number}', data:[${number}]});`)
  assert.equal(blocksOf(blocks.join('')).size, 1_000)
  const scripts = numbers.map((number) => `<script type="application/ld+json">${number}</script>`)
  assert.equal(linkedData(scripts.join('')).length, 1_000)
})
