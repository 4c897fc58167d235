import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const HOSTILE =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>bold</b> javascript:alert(1)'

test('a hostile review and a hostile response are shown as plain text', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  receiver.answerWith(
    400,
    { 'content-type': 'text/html', 'x-evil': '<script>window.hacked=1</script>' },
    HOSTILE,
  )
  await seeded.newDestination()
  publish(
    running,
    { ...NOTES, market: 'us' },
    { title: HOSTILE, body: HOSTILE, author: HOSTILE, publishedAt: new Date(Date.now() + 2_000) },
  )
  await receiver.received(1)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByText(HOSTILE).first().waitFor()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByText(HOSTILE).first().waitFor()
  await page.goto('/deliveries')
  await page.getByRole('table').getByRole('link', { name: /bold/ }).first().click()
  await page.getByRole('dialog').getByText('<b>bold</b>').last().waitFor()
  assert.equal(await page.evaluate(() => 'hacked' in window), false)
  assert.equal(await page.locator('img[src="x"]').count(), 0)
  assert.equal(await page.locator('main b').filter({ hasText: 'bold' }).count(), 0)
  assert.deepEqual(visitor.errors, [])
})
