import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { SaxesParser } from 'saxes'
import type { CreatedAtomFeed } from '../../src/contract/v1/atom-feeds.ts'
import { type Tenant, tenant } from '../support/interfaces.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())
const alice = await tenant(running, 'Alice')
const bob = await tenant(running, 'Bob')
const APP = { store: 'apple', appId: '821', market: 'us' } as const
addApp(running.world, APP)

const HOSTILE = '</title>]]><script>alert(1)</script> & "quoted" \u0007\uFFFE \u{1F389}'
const ALLOWED = HOSTILE.replace('\u0007', '\uFFFD').replace('\uFFFE', '\uFFFD')

async function created(who: Tenant): Promise<CreatedAtomFeed> {
  const answer = await who.api('POST', '/atom-feeds', { store: 'apple', app_id: APP.appId })
  assert.equal(answer.outcome, 'done', answer.text)
  return answer.json()
}

type Entry = Record<string, string>

/** Parses strictly: throws when the document is not well-formed XML. */
function parse(xml: string): { readonly feed: Entry; readonly entries: readonly Entry[] } {
  const parser = new SaxesParser({ xmlns: true })
  const feed: Entry = {}
  const entries: Entry[] = []
  const path: string[] = []
  let text = ''
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri }) => {
    assert.equal(uri, 'http://www.w3.org/2005/Atom')
    path.push(local)
    text = ''
    if (local === 'entry') entries.push({})
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('closetag', ({ local }) => {
    path.pop()
    const holder = path.includes('entry') ? entries.at(-1) : feed
    if (holder !== undefined && text.trim() !== '') holder[local] = text
    text = ''
  })
  parser.write(xml).close()
  return { feed, entries }
}

await alice.api('PUT', '/tracked-apps/apple/821', { countries: ['us'] })
await baseline(running, '821')
publish(running, APP, { rating: 2, title: HOSTILE, author: '<b>Eve</b>' })
publish(running, APP, { rating: 5, title: 'Very good' })
const { url, id } = await created(alice)
await until(
  'both reviews are in the feed',
  async () => parse(await (await fetch(url)).text()).entries.length === 2,
)

describe('the Atom feed of an app', () => {
  it('the Atom feed of an app is well-formed Atom with every required element, whatever the reviews contain', async () => {
    const answer = await fetch(url)
    assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const { feed, entries } = parse(await answer.text())
    assert.match(
      feed.id ?? '',
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    const filtered = `${url}?stars=2&limit=1`
    const selfLink = /<link rel="self" type="application\/atom\+xml" href="([^"]+)"\/>/
    const [, own] = selfLink.exec(await (await fetch(filtered)).text()) ?? []
    assert.equal(own?.replaceAll('&amp;', '&'), filtered)
    assert.match(feed.title ?? '', /^Reviews of .+ \(App Store\)$/)
    const [hostile] = entries.filter(({ title }) => title?.includes('script'))
    assert.deepEqual([hostile?.title, hostile?.name], [`★★☆☆☆ ${ALLOWED}`, '<b>Eve</b>'])
    for (const entry of entries) {
      assert.match(entry.id ?? '', /^urn:uuid:/)
      for (const field of ['published', 'updated'])
        assert.equal(new Date(entry[field] ?? '').toISOString(), entry[field])
      assert.ok((entry.content ?? '').length > 0)
    }
    assert.equal(new Set([feed.id, ...entries.map((entry) => entry.id)]).size, 3)
    assert.equal(
      feed.updated,
      entries
        .map(({ updated }) => updated ?? '')
        .sort()
        .at(-1),
    )
  })

  it('the Atom feed of an app keeps its ids, answers 304 to a known ETag, and limits its entries', async () => {
    const first = await fetch(url)
    const tag = first.headers.get('etag') ?? ''
    const known = await fetch(url, { headers: { 'if-none-match': tag } })
    assert.deepEqual([known.status, await known.text()], [304, ''])
    const again = await created(alice)
    const ids = (text: string) => parse(text).entries.map((entry) => entry.id)
    assert.deepEqual(ids(await (await fetch(again.url)).text()), ids(await first.text()))
    assert.equal(parse(await (await fetch(`${url}?limit=1`)).text()).entries.length, 1)
    assert.equal((await fetch(`${url}?limit=0`)).status, 400)
    await alice.api('DELETE', `/atom-feeds/${again.id}`)
  })

  it('the Atom feed of an app has the filters of the list of reviews, but shows no other app', async () => {
    const titles = async (query: string) =>
      parse(await (await fetch(`${url}?${query}`)).text()).entries.map(({ title }) => title)
    assert.deepEqual(await titles('stars=5'), ['★★★★★ Very good'])
    assert.deepEqual(await titles('stars=5&country=de'), [])
    assert.equal((await titles('store=google&app_id=1')).length, 2)
    const wrong = await fetch(`${url}?theme=crash`)
    assert.equal(wrong.status, 400)
    assert.match(await wrong.text(), /theme must be one of stability_crash/)
  })

  it('the Atom feed of an app shows only reviews that its account sees, and belongs to its account', async () => {
    assert.equal(
      (await bob.api('POST', '/atom-feeds', { store: 'apple', app_id: '821' })).outcome,
      'not_found',
    )
    assert.deepEqual((await bob.api('GET', '/atom-feeds')).json(), [])
    assert.equal((await bob.api('DELETE', `/atom-feeds/${id}`)).outcome, 'not_found')
    const row = {
      store: 'apple',
      app_id: '821',
      market: 'us',
      review_id: 'own',
      rating: 1,
      title: 'Only Bob',
    }
    await bob.api('PUT', '/tracked-apps/apple/821', { countries: ['us'] })
    const imported = await fetch(`${running.url}/api/v1/imports/reviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/jsonl' },
      body: JSON.stringify({ ...row, occurred_at: '2020-01-01T00:00:00Z' }),
    })
    assert.equal(imported.status, 200)
    const { url: bobs } = await created(bob)
    assert.ok((await (await fetch(bobs)).text()).includes('Only Bob'))
    assert.ok(!(await (await fetch(url)).text()).includes('Only Bob'))
  })

  it('the Atom feed of an app has an address that only its creation shows, and that a token of the API cannot replace', async () => {
    const list = await alice.api('GET', '/atom-feeds')
    const token = url.split('/').at(-1) ?? ''
    assert.ok(!list.text.includes(token))
    assert.equal((await fetch(`${running.url}/atom/${alice.token}`)).status, 404)
    const asToken = await fetch(`${running.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(asToken.status, 401)
  })

  it('the Atom feed of an app is revoked at once, with an entry in the audit log', async () => {
    assert.equal((await alice.api('DELETE', `/atom-feeds/${id}`)).outcome, 'done')
    assert.deepEqual([(await fetch(url)).status], [404])
    const log = await alice.console('GET', '/v1/audit-log?action=atom_feed.revoked')
    assert.match(log.text, /"detail":"apple\/821"/)
    assert.ok(!log.text.includes('rsf_'))
  })
})
