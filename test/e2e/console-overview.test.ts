import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Overview } from '../../src/contract/console/overview.ts'
import { startConsoleArea } from '../support/console-area.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { receiver, ann, fetchJson, trackStorefronts, newDestination, write } = area
await trackStorefronts()

it('the overview has the ten destinations that fail longest, the number of all, and the names in notices', async () => {
  receiver.answerWith(500)
  for (let number = 0; number < 12; number += 1) {
    const { id } = await newDestination()
    await fetchJson('PATCH', `/v1/hooks/${id}`, { name: `Number ${number}` })
  }
  // Three attempts each.
  for (const body of ['It crashes.', 'It is slow.']) write({ rating: 1, body })
  const overview = await until('all destinations fail', async () => {
    const now = await fetchJson<Overview>('GET', '/overview')
    return now.failingDestinations.total === 12 && now.pending === 0 && now
  })
  const { longest } = overview.failingDestinations
  assert.equal(longest.length, 10)
  const since = longest.map(({ failingSince }) => failingSince)
  assert.deepEqual(since, since.toSorted())
  for (const line of longest) {
    assert.deepEqual(Object.keys(line).sort(), ['failingSince', 'id', 'name', 'pending', 'targetUrl'])
    assert.match(line.name ?? '', /^Number \d+$/)
    assert.deepEqual([line.targetUrl, line.pending], [receiver.url, 0])
  }
  const { destination } = overview.notices[0] ?? {}
  assert.match(destination?.name ?? '', /^Number \d+$/)

  const first = await ann.request('GET', '/session?with=overview')
  assert.deepEqual(
    first.json<{ overview: Overview }>().overview.failingDestinations,
    overview.failingDestinations,
  )
  const [paused] = longest
  await fetchJson('PUT', `/v1/hooks/${paused?.id}/status`, { status: 'paused' })
  const left = (await fetchJson<Overview>('GET', '/overview')).failingDestinations
  assert.equal(left.total, 11)
  assert.ok(left.longest.every(({ id }) => id !== paused?.id))
})

it('the overview has one line for each app and state of feed problems, with the places', async () => {
  const over = area.running.world.setFault({ store: 'google' }, { kind: 'status', status: 500 })
  const path = '/v1/tracked-apps/google/com.example.notes'
  await fetchJson('PUT', path, { countries: ['us', 'de', 'fr'] })
  const [problem, ...others] = await until('all six feeds fail', async () => {
    const { feedProblems } = await fetchJson<Overview>('GET', '/overview')
    return feedProblems[0]?.feeds === 6 && feedProblems
  })
  over()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [problem?.store, problem?.appId, problem?.health],
    ['google', 'com.example.notes', 'stale'],
  )
  assert.deepEqual(problem?.places.map(({ kind, market }) => `${kind} ${market}`).sort(), [
    'rating de',
    'rating fr',
    'rating us',
    'reviews de',
    'reviews en',
    'reviews fr',
  ])
  assert.ok(problem?.reason?.endsWith('.') && problem.since !== null)
  await fetchJson('DELETE', path)
})
