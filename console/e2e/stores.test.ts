import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppleKey, createServiceAccount } from '../../src/simulate/official/connect.ts'
import { findings } from './support/browser.ts'
import { NOTES, openAs, RUNS, startSeededConsole } from './support/seeded-console.ts'

test('an owner connects App Store Connect, tracks an app with one click, and removes the connection', async () => {
  await using seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/account')
  await page.getByRole('link', { name: 'Stores' }).click()
  await page.getByRole('heading', { name: 'No store is connected' }).waitFor()
  await page.getByRole('button', { name: 'Connect a store' }).click()
  const form = page.getByRole('dialog')
  const key = createAppleKey(running.world)
  await form.getByLabel('Private key').fill('not a key')
  await form.getByLabel('Key ID').fill(key.keyId)
  await form.getByRole('button', { name: 'Test and connect' }).click()
  await form.getByText(/Must be the whole content of the \.p8 file/).waitFor()
  await form.getByLabel('Private key').fill(key.privateKey)
  await form.getByLabel('Issuer ID').fill(key.issuerId ?? '')
  await form.getByRole('button', { name: 'Test and connect' }).click()
  const card = page.getByRole('region', { name: `App Store Connect ${key.keyId}` })
  await card.getByText('Connected', { exact: true }).waitFor()
  await card.getByText('Not tracked').waitFor()
  assert.equal(await page.getByText('BEGIN PRIVATE KEY').count(), 0)
  await card.getByRole('button', { name: `Track ${NOTES.name}` }).click()
  await card.getByRole('link', { name: NOTES.name }).waitFor()
  await page.reload()
  await card.getByText(/This connection|Switching to this connection/).waitFor()
  assert.deepEqual(await findings(page), [])

  await card.getByText('This connection').waitFor()
  await card.getByRole('button', { name: `Import history of ${NOTES.name}` }).click()
  await card.getByText(/History imported · \d+ reviews read, \d+ new/).waitFor()
  await card.getByRole('button', { name: `Import history again of ${NOTES.name}` }).waitFor()
  await page.mouse.move(0, 0)
  assert.deepEqual(await findings(page), [])

  running.world.official.revokeAppleKey(key.keyId)
  await card.getByRole('button', { name: 'Test', exact: true }).click()
  await card.getByText('Refused by the store').waitFor()
  await card.getByRole('button', { name: 'Remove', exact: true }).click()
  const question = page.getByRole('dialog')
  await question.getByText(/stay tracked, with reviews from the public pages/).waitFor()
  await question.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'No store is connected' }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('an owner connects Google Play with package names and edits them', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/stores')
  await page.getByRole('button', { name: 'Connect a store' }).click()
  const form = page.getByRole('dialog')
  await form.getByText('Google Play', { exact: true }).click()
  const file = createServiceAccount(running.world, { appIds: [RUNS.appId] })
  await form.getByLabel('Service account key').fill(JSON.stringify(file))
  await form.getByLabel('Package names').fill(`${RUNS.appId}\ncom.example.unknown`)
  await form.getByLabel('Name', { exact: true }).fill('Play')
  await form.getByRole('button', { name: 'Test and connect' }).click()
  const card = page.getByRole('region', { name: 'Play' })
  await card.getByText(/com\.example\.unknown: /).waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Google Play of the team')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Google Play of the team' }).waitFor()
  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})
