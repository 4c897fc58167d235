import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { FoundApps, TrackedApp } from '../../src/contract/v1/apps.ts'
import { APP, startConsoleArea } from '../support/console-area.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { running, ann, fetchJson, fetchError, trackStorefronts, write } = area

describe('a new account', () => {
  it('a new account sees the next setup step', async () => {
    const overview = await fetchJson<Overview>('GET', '/overview')
    assert.deepEqual(overview.steps, { app: false, destination: false, delivered: false })
    assert.equal(overview.successRate, null)
    assert.equal(overview.series.length, 24)
    assert.equal((await fetchJson<Overview>('GET', '/overview?range=30d')).series.length, 30)
    assert.deepEqual(await fetchJson('GET', '/v1/tracked-apps'), [])
    assert.match(await fetchError(400, 'GET', '/overview?range=1y'), /range:/)
  })

  it('a new account finds an app by name in both stores, by link, id and package name', async () => {
    const byName = await fetchJson<FoundApps>(
      'GET',
      `/v1/apps/search?q=${encodeURIComponent('sample notes')}`,
    )
    assert.deepEqual(byName.data.map(({ store, app_id }) => `${store} ${app_id}`).sort(), [
      `apple ${APP}`,
      'google com.example.notes',
    ])
    assert.equal(byName.data[0]?.rating, 4.5)
    for (const text of [
      APP,
      `https://apps.apple.com/us/app/sample/id${APP}`,
      'com.example.notes',
      'https://play.google.com/store/apps/details?id=com.example.notes',
    ]) {
      const found = await fetchJson<FoundApps>('GET', `/v1/apps/search?q=${encodeURIComponent(text)}`)
      assert.deepEqual(
        found.data.map(({ name }) => name),
        ['Sample Notes'],
        text,
      )
      assert.deepEqual(found.problems, [])
    }
    const none = await fetchJson<FoundApps>('GET', '/v1/apps/search?q=999999999')
    assert.deepEqual(none, { data: [], problems: [] })
    assert.match(await fetchError(400, 'GET', '/v1/apps/search?q='), /^q must be text of 1 to 300/)
  })

  it('a new account gets an error if a store does not respond', async () => {
    const over = running.world.setFault({ store: 'google' }, { kind: 'status', status: 500 })
    const found = await fetchJson<FoundApps>('GET', '/v1/apps/search?q=sample')
    over()
    assert.deepEqual(
      found.data.map(({ store }) => store),
      ['apple'],
    )
    assert.deepEqual(
      found.problems.map(({ store }) => store),
      ['google'],
    )
    assert.match(found.problems[0]?.message ?? '', /^Google Play .*\.$/)
  })
})

describe('a tracked app', () => {
  it('a tracked app is polled in the selected storefronts and shows their ratings', async () => {
    await trackStorefronts()
    const [app] = await until('the rating is known', async () => {
      const apps = await fetchJson<TrackedApp[]>('GET', '/v1/tracked-apps')
      return apps[0]?.ratings.length === 1 && apps
    })
    assert.equal(app?.name, 'Sample Notes')
    assert.deepEqual(app?.countries, ['us'])
    assert.deepEqual(app?.ratings, [{ country: 'us', rating: 4.5, rating_count: 1_000 }])
    assert.match(
      await fetchError(400, 'PUT', `/v1/tracked-apps/apple/${APP}`, { countries: ['xx'] }),
      /^countries must be/,
    )
    await fetchError(404, 'PUT', '/v1/tracked-apps/amazon/1', { countries: ['us'] })
    await fetchError(404, 'GET', '/apps/apple/123')
  })

  it('a tracked app has the name from the store, not one from the request', async () => {
    const claimed = { name: 'Forged', developer: 'Forged', iconUrl: 'https://evil.example/icon' }
    await fetchJson('PUT', '/v1/tracked-apps/google/com.example.unknown', { countries: ['us'], ...claimed })
    const apps = await ann.request('GET', '/v1/tracked-apps')
    assert.ok(apps.text.includes('com.example.unknown') && !/Forged|evil/.test(apps.text))
    await fetchJson('DELETE', '/v1/tracked-apps/google/com.example.unknown')
  })

  it('a tracked app that the inbox names is polled until it is removed from the inbox too', async () => {
    const path = '/v1/tracked-apps/google/com.example.notes'
    const app = async () =>
      (await fetchJson<TrackedApp[]>('GET', '/v1/tracked-apps')).find(({ store }) => store === 'google')
    await fetchJson('PUT', path, { countries: ['us'] })
    await fetchJson('POST', '/inbox', { app: { store: 'google', app_id: 'com.example.notes' } })
    const tracked = await app()
    assert.deepEqual(tracked?.needed_countries, [])
    assert.deepEqual(tracked?.watched_countries, ['us'])
    assert.deepEqual(tracked?.kept_countries, ['us'])
    assert.deepEqual(tracked?.named_by, { console: 2, programs: 0 })
    assert.match(await fetchError(400, 'DELETE', `${path}?watches=all`), /^watches must be/)

    await fetchJson('DELETE', path)
    assert.deepEqual((await app())?.needed_countries, ['us'])
    await fetchJson('DELETE', `${path}?watches=remove`)
    assert.equal(await app(), undefined)
  })

  it('a tracked app has a page with its star counts, its rating and its feeds', async () => {
    for (const rating of [1, 2, 4, 5]) write({ rating })
    // The simulated stores show whole seconds, so the last review is up to a second in the future.
    const page = await until('all four are published', async () => {
      const now = await fetchJson<AppPage>('GET', `/apps/apple/${APP}?days=7`)
      return now.days.some(({ stars }) => stars.join() === '1,1,0,1,1') && now
    })
    assert.equal(page.days.length, 7)
    assert.deepEqual(page.before.stars, [0, 0, 0, 0, 0])
    assert.deepEqual(page.newestLow.map(({ rating }) => rating).sort(), [1, 2])
    assert.deepEqual(
      page.markets.map(({ market, count, average, low }) => [market, count, average, low]),
      [['us', 4, 3, 2]],
    )
    assert.equal(page.ratingHistory[0]?.points[0]?.rating, 4.5)
    assert.ok(page.feeds.some(({ kind, health }) => kind === 'reviews' && health === 'well'))
    assert.equal(page.app.health, 'well')
    assert.match(await fetchError(400, 'GET', `/apps/apple/${APP}?days=8`), /days:/)
  })
})
