import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn } from '../../test/support/console-client.ts'
import { publish } from '../../test/support/publish.ts'
import { openBrowser, visit } from './support/browser.ts'
import { enterAs, NOTES, startSeededConsole } from './support/seeded-console.ts'

test("an account cannot see another account's data", async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  const bob = await signedIn(running, 'Bob')
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  const { id } = await seeded.newDestination()
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  const [event] = await receiver.received(1)
  const eventId = String(event?.headers['x-radar-event-id'])

  await using browser = await openBrowser()
  await using anns = await visit(browser, running.url)
  await enterAs(anns, running, ann)
  await using bobs = await visit(browser, running.url)
  await enterAs(bobs, running, bob)

  await anns.page.goto('/apps')
  await anns.page.getByRole('article', { name: 'Larkspur Notes' }).waitFor()
  await bobs.page.goto('/apps')
  await bobs.page.getByText('No apps yet').waitFor()
  await bobs.page.goto('/reviews')
  await bobs.page.getByText('No reviews yet').waitFor()
  await bobs.page.goto('/deliveries')
  await bobs.page.getByText('No deliveries yet').waitFor()
  for (const path of [
    `/destinations/${id}`,
    `/deliveries/${eventId}`,
    `/apps/${NOTES.store}/${NOTES.appId}`,
  ]) {
    await anns.page.goto(path)
    await anns.page.getByRole('heading', { level: 1 }).waitFor()
    await bobs.page.goto(path)
    await bobs.page.getByRole('heading', { name: /not found$/, level: 1 }).waitFor()
  }
  // Ann is the operator; Bob must not see the system page.
  await anns.page.goto('/system')
  await anns.page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
  assert.equal(await bobs.page.getByRole('link', { name: 'System' }).count(), 0)
  await bobs.page.goto('/system')
  await bobs.page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
