import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { StatusView } from '../../src/contract/console/status.ts'
import { startConsoleArea } from '../support/console-area.ts'
import { signedIn } from '../support/console-client.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { receiver, ann, fetchJson, trackStorefronts, newDestination, write } = area
await trackStorefronts()

const statusOf = (client: Pick<typeof ann, 'fetchJson'> = ann) =>
  client.fetchJson<StatusView>('GET', '/status')

it('the status of an account is empty while everything works, and has nothing of the installation for others than its operator', async () => {
  assert.deepEqual(await statusOf(), { account: [], installation: [] })
  const bob = await signedIn(area.running, 'Bob')
  assert.deepEqual(await statusOf(bob), { account: [], installation: null })
})

it('the status has the ten destinations that fail longest, the number of the others, and the dead letters; notices name their destination', async () => {
  receiver.answerWith(500)
  for (let number = 0; number < 12; number += 1) {
    const { id } = await newDestination()
    await fetchJson('PATCH', `/v1/hooks/${id}`, { name: `Number ${number}` })
  }
  // Three attempts each.
  for (const body of ['It crashes.', 'It is slow.']) write({ rating: 1, body })
  const overview = await until('all deliveries died', async () => {
    const now = await fetchJson<Overview>('GET', '/overview')
    return now.dead === 24 && now.pending === 0 && now
  })
  const { destination } = overview.notices[0] ?? {}
  assert.match(destination?.name ?? '', /^Number \d+$/)
  const { account } = await statusOf()
  const failing = account.filter(({ key }) => key.startsWith('destination '))
  assert.equal(failing.length, 10)
  const since = failing.map((incident) => incident.since ?? '')
  assert.deepEqual(since, since.toSorted())
  for (const { what, page, effect } of failing) {
    assert.match(what, /^Deliveries to Number \d+ fail\.$/)
    assert.match(page ?? '', /^\/destinations\/\w+/)
    assert.equal(effect, null, 'nothing is pending')
  }
  const whats = account.map(({ what }) => what)
  assert.ok(whats.includes('Deliveries to 2 other destinations fail.'), `${whats}`)
  assert.ok(whats.includes('24 dead letters: events that no receiver accepted.'), `${whats}`)

  await fetchJson('PUT', `/v1/hooks/${failing[0]?.key.split(' ')[1]}/status`, { status: 'paused' })
  const left = (await statusOf()).account
  assert.ok(left.every(({ key }) => key !== failing[0]?.key))
  assert.ok(left.some(({ what }) => what === 'Deliveries to 1 other destination fail.'))
})

it('the status has one line for each store and state of failing feeds, with their places', async () => {
  const over = area.running.world.setFault({ store: 'google' }, { kind: 'status', status: 500 })
  const path = '/v1/tracked-apps/google/com.example.notes'
  await fetchJson('PUT', path, { countries: ['us', 'de', 'fr'] })
  const [incident, ...others] = await until('all six feeds fail', async () => {
    const { account } = await statusOf()
    const feeds = account.filter(({ key }) => key.startsWith('feeds '))
    return feeds[0]?.what.includes('and 2 more feeds') && feeds
  })
  over()
  assert.deepEqual(others, [])
  assert.match(
    incident?.what ?? '',
    /^Google Play: no usable response for \S+ \((reviews|rating) of (United States|English|German|Germany|French|France), /,
  )
  assert.equal(incident?.effect, 'New reviews and ratings of 1 app are delayed.')
  assert.equal(incident?.page, '/apps/google/com.example.notes/feeds')
  assert.ok(incident?.since)
  await fetchJson('DELETE', path)
})
