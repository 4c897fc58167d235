import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { incidentText } from '../../src/model/incident.ts'
import { connectionIncident, staleConnections } from '../../src/operations/diagnosis/connections.ts'
import { createAppleKey, createServiceAccount } from '../../src/simulate/official/connect.ts'
import { appleBody } from '../support/connect-store.ts'
import type { Person } from '../support/people.ts'
import { addApp, startTestService } from '../support/service.ts'

const radar = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000' })
after(() => radar[Symbol.asyncDispose]())
const { world, clock } = radar
const APPLE = { store: 'apple', appId: '310633997', name: 'Larkspur Notes' } as const
const GOOGLE = { store: 'google', appId: 'com.example.larkspur', name: 'Larkspur Notes' } as const
addApp(world, APPLE)
addApp(world, GOOGLE)
const OTHER = { store: 'google', appId: 'com.example.other', name: 'Tidewater Habits' } as const
addApp(world, OTHER)

const connect = (who: Person, body: object) =>
  who.client.call<StoreConnectionView>('POST', '/store-connections', { body })
/** The status and the message of a refused call. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: Error & { status?: number }) => reason,
  )
  assert.ok(error !== null, 'the call succeeded')
  return `${error.status} ${error.message}`
}
/** Tests of credentials are limited per account and minute. */
const newPerson = () => radar.person(`person-${Math.random()}`)

test('a key of App Store Connect is tested, stored sealed and never shown', async () => {
  const alice = await newPerson()
  const key = createAppleKey(world)
  const connection = await connect(alice, appleBody(key))
  assert.equal(connection.subject, key.keyId)
  assert.equal(connection.name, `App Store Connect ${key.keyId}`)
  assert.equal(connection.problem, null)
  const reached = connection.apps.find(({ app_id }) => app_id === APPLE.appId)
  assert.equal(reached?.name, APPLE.name)
  assert.deepEqual(reached?.countries, [])
  assert.equal(reached?.source, null)
  const listed = await alice.client.listStoreConnections()
  assert.deepEqual(listed, [connection])
  const secret = key.privateKey.split('\n')[1] ?? 'missing'
  assert.ok(secret.length > 20 && !JSON.stringify(listed).includes(secret))
  const [stored] = await radar.service.storage.storeConnections.list(alice.accountId)
  assert.match(stored?.credentials ?? '', /^s1\./)
  const folder = radar.environment.RADAR_DATA_DIR ?? ''
  if (radar.service.storage.engine === 'sqlite') {
    const files = ['radar.db', 'radar.db-wal'].map((name) => readFileSync(join(folder, name)))
    assert.ok(files.every((bytes) => !bytes.includes(secret)))
  }
})

test('a service account of Google Play is tested with the given package names', async () => {
  const alice = await newPerson()
  const file = createServiceAccount(world, { appIds: [GOOGLE.appId] })
  const connection = await connect(alice, {
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file),
    app_ids: [` ${GOOGLE.appId} `, 'com.example.unknown'],
  })
  assert.equal(connection.subject, file.client_email)
  assert.deepEqual(
    connection.apps.map(({ app_id }) => app_id),
    [GOOGLE.appId],
  )
  assert.match(connection.warnings.join(), /com\.example\.unknown: /)
})

test('a field that cannot be right is named, without asking the store', async () => {
  const alice = await newPerson()
  const key = appleBody(createAppleKey(world))
  const pem = (type: 'rsa' | 'ec') =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-384' })
    ).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const publicPem = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })
  for (const [change, message] of [
    [{ kind: 'amazon' }, /^400 kind must be "appstoreconnect" or "googleplay-developer"/],
    [{ issuer_id: '57246542' }, /^400 issuer_id must be the UUID above the list of team keys/],
    [{ key_id: 'abc' }, /^400 key_id must be the ten capital letters and digits/],
    [{ private_key: null }, /^400 private_key must be the whole content of the \.p8 file/],
    [{ private_key: '-----BEGIN PRIVATE KEY-----\nAAAA' }, /^400 private_key must be the whole content/],
    [{ private_key: pem('ec') }, /^400 private_key .* has the type ec secp384r1\. A key of the type EC/],
    [{ private_key: pem('rsa') }, /^400 private_key .* has the type rsa\. A key of the type EC P-256/],
    [{ private_key: publicPem() }, /^400 private_key .* This is a public key or a certificate\./],
    [
      { private_key: '{"type":"service_account"}' },
      /^400 private_key .* This is a JSON file\. Google Play keys/,
    ],
  ] as const) {
    assert.match(await refusal(connect(alice, { ...key, ...change })), message)
  }
  const file = createServiceAccount(world, { appIds: [GOOGLE.appId] })
  const google = (change: object) => ({
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file),
    app_ids: [GOOGLE.appId],
    ...change,
  })
  for (const [change, message] of [
    [{ service_account: '{' }, /^400 service_account must be the JSON key file/],
    [
      { service_account: pem('ec') },
      /^400 service_account must be the JSON .* App Store Connect has \.p8 files/,
    ],
    [
      { service_account: '{"type":"authorized_user"}' },
      /^400 service_account must be the key file of a service/,
    ],
    [
      { service_account: JSON.stringify({ ...file, private_key: 'x' }) },
      /^400 service_account has a private_key that cannot sign\. .* Download the file again\./,
    ],
    [{ app_ids: [] }, /^400 app_ids must be 1 to 50 package names/],
    [{ app_ids: ['Larkspur Notes'] }, /^400 app_ids must be package names .* "Larkspur Notes" is not one/],
    [{ reports_bucket: 'https://x' }, /^400 reports_bucket must be the Cloud Storage URI/],
  ] as const) {
    assert.match(await refusal(connect(alice, google(change))), message)
  }
  assert.deepEqual(await alice.client.listStoreConnections(), [])
})

test('credentials that the store refuses are not stored, and the message says why', async () => {
  const alice = await newPerson()
  const team = createAppleKey(world)
  const withoutIssuer = { ...appleBody(team), issuer_id: null }
  assert.match(await refusal(connect(alice, withoutIssuer)), /^400 .*a team key needs its issuer id/)
  const unknown = createAppleKey(world)
  world.official.revokeAppleKey(unknown.keyId)
  assert.match(
    await refusal(connect(alice, appleBody(unknown))),
    /^400 .*(was refused by the store|refused the credentials)/,
  )
  const sales = createAppleKey(world, { role: 'SALES' })
  assert.match(await refusal(connect(alice, appleBody(sales))), /^400 .*role/i)
  const none = createAppleKey(world, { appIds: [] })
  assert.match(
    await refusal(connect(alice, appleBody(none))),
    /^400 .*have access to no apps\. Give the key access/,
  )
  const disabled = createServiceAccount(world, { appIds: [GOOGLE.appId], apiEnabled: false })
  const body = {
    kind: 'googleplay-developer',
    service_account: JSON.stringify(disabled),
    app_ids: [GOOGLE.appId],
  }
  assert.match(await refusal(connect(alice, body)), /^400 .*API/)
  const usable = () => createServiceAccount(world, { appIds: [GOOGLE.appId] })
  world.official.configure({ agreementSigned: false })
  assert.match(await refusal(connect(alice, appleBody(createAppleKey(world)))), /^400 .*agreement/i)
  world.official.configure({ agreementSigned: true, clockSkewMs: -600_000 })
  const early =
    /^503 The credentials could not be tested\. .*clock of this machine is 10 minutes ahead of .*'s/
  assert.match(await refusal(connect(alice, appleBody(createAppleKey(world)))), early)
  assert.match(await refusal(connect(alice, { ...body, service_account: JSON.stringify(usable()) })), early)
  world.official.configure({ clockSkewMs: 0 })
  world.setFault({ store: 'google', source: 'oauth' }, { kind: 'drop' })
  assert.match(
    await refusal(connect(alice, { ...body, service_account: JSON.stringify(usable()) })),
    /^503 The credentials could not be tested\. .* cannot be reached/,
  )
  world.clearFaults()
  assert.deepEqual(await alice.client.listStoreConnections(), [])
})

test('another account can neither see nor change a connection', async () => {
  const [alice, bob] = [await newPerson(), await newPerson()]
  const { id } = await connect(alice, appleBody(createAppleKey(world)))
  const key = appleBody(createAppleKey(world))
  for (const call of [
    () => bob.client.call('GET', `/store-connections/${id}`),
    () => bob.client.testStoreConnection(id),
    () => bob.client.call('PUT', `/store-connections/${id}/credentials`, { body: key }),
    () => bob.client.call('PATCH', `/store-connections/${id}`, { body: { name: 'mine' } }),
    () => bob.client.call('PUT', `/store-connections/${id}/apps/${APPLE.appId}`),
    () => bob.client.call('DELETE', `/store-connections/${id}/apps/${APPLE.appId}`),
    () => bob.client.removeStoreConnection(id),
  ]) {
    assert.match(await refusal(call()), /^404 /)
  }
  assert.deepEqual(await bob.client.listStoreConnections(), [])
  assert.equal((await alice.client.listStoreConnections()).length, 1)
})

test('credentials are connected once, replaced after a test, and deleted with the connection', async () => {
  const alice = await newPerson()
  const first = createAppleKey(world)
  const { id } = await connect(alice, appleBody(first))
  assert.match(await refusal(connect(alice, appleBody(first))), /^409 .*already connected with/)

  const revoked = createAppleKey(world)
  world.official.revokeAppleKey(revoked.keyId)
  const rotate = (key: ReturnType<typeof createAppleKey>) =>
    alice.client.call<StoreConnectionView>('PUT', `/store-connections/${id}/credentials`, {
      body: appleBody(key),
    })
  assert.match(await refusal(rotate(revoked)), /^400 /)
  const second = createAppleKey(world)
  const rotated = await rotate(second)
  assert.equal(rotated.subject, second.keyId)
  assert.ok(rotated.rotated_at !== null)

  world.official.revokeAppleKey(second.keyId)
  const failed = await alice.client.testStoreConnection(id)
  assert.match(failed.problem ?? '', /App Store Connect/)
  assert.ok(failed.apps.length > 0, 'the apps of the last successful test stay')

  const renamed = await alice.client.call<StoreConnectionView>('PATCH', `/store-connections/${id}`, {
    body: { name: 'Team' },
  })
  assert.equal(renamed.name, 'Team')
  await alice.client.removeStoreConnection(id)
  assert.deepEqual(await radar.service.storage.storeConnections.list(alice.accountId), [])
})

test('an app that new credentials do not reach stays visible while it is used, and can be changed back', async () => {
  const alice = await newPerson()
  const file = (appIds: readonly string[]) => createServiceAccount(world, { appIds })
  const body = (appIds: readonly string[], names: readonly string[]) => ({
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file(appIds)),
    app_ids: names,
  })
  const { id } = await connect(alice, body([GOOGLE.appId], [GOOGLE.appId]))
  const path = `/store-connections/${id}/apps/${GOOGLE.appId}`
  await alice.client.call('PUT', `/tracked-apps/google/${GOOGLE.appId}`, { body: { countries: ['us'] } })
  await alice.client.call('PUT', path)
  const rotated = await alice.client.call<StoreConnectionView>(
    'PUT',
    `/store-connections/${id}/credentials`,
    {
      body: body([OTHER.appId], [OTHER.appId]),
    },
  )
  assert.deepEqual(
    rotated.apps.map(({ app_id, countries, source_connection_id }) => [
      app_id,
      countries,
      source_connection_id,
    ]),
    [
      [OTHER.appId, [], null],
      [GOOGLE.appId, ['us'], id],
    ],
  )
  assert.match(
    rotated.warnings.join(),
    /^com\.example\.larkspur: The credentials have no access to this app, but/,
  )
  assert.match(await refusal(alice.client.call('PUT', path)), /^404 /)
  const left = await alice.client.call<StoreConnectionView>('DELETE', path)
  assert.deepEqual([left.apps.map(({ app_id }) => app_id), left.warnings], [[OTHER.appId], []])
})

test('an app that another connection is used for names that connection', async () => {
  const alice = await newPerson()
  const [used, other] = [
    await connect(alice, appleBody(createAppleKey(world))),
    await connect(alice, appleBody(createAppleKey(world))),
  ]
  await alice.client.call('PUT', `/tracked-apps/apple/${APPLE.appId}`, { body: { countries: ['us'] } })
  await alice.client.call('PUT', `/store-connections/${used.id}/apps/${APPLE.appId}`)
  const shown = await alice.client.call<StoreConnectionView>('GET', `/store-connections/${other.id}`)
  const app = shown.apps.find(({ app_id }) => app_id === APPLE.appId)
  assert.deepEqual([app?.source, app?.source_connection_id], [null, used.id])
  await alice.client.removeStoreConnection(used.id)
})

test('tests of credentials are limited per minute', async () => {
  const alice = await newPerson()
  const { id } = await connect(alice, appleBody(createAppleKey(world)))
  // At once: on a slow machine the limit would allow more before they end.
  await Promise.all(Array.from({ length: 9 }, () => alice.client.testStoreConnection(id)))
  assert.match(
    await refusal(alice.client.testStoreConnection(id)),
    /^429 .*test credentials 10 times per minute/,
  )
  clock.leap(60_001)
  await alice.client.testStoreConnection(id)
})

test('every change is in the audit log, without keys', async () => {
  const alice = await newPerson()
  const key = createAppleKey(world)
  const { id } = await connect(alice, appleBody(key))
  await alice.client.testStoreConnection(id)
  await alice.client.removeStoreConnection(id)
  const entries = await radar.service.storage.audit.list(alice.accountId, {}, { limit: 10, before: null })
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['store.removed', 'store.tested', 'store.connected'],
  )
  assert.ok(entries.every(({ detail }) => detail?.includes(`App Store Connect ${key.keyId}`)))
})

test('radar doctor reports a connected Google app without a good poll for five days', async () => {
  const { storage } = radar.service
  const alice = await newPerson()
  const file = createServiceAccount(world, { appIds: [GOOGLE.appId] })
  const { id } = await connect(alice, {
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file),
    app_ids: [GOOGLE.appId],
  })
  await alice.client.call('PUT', `/tracked-apps/google/${GOOGLE.appId}`, { body: { countries: ['us'] } })
  world.official.removeServiceAccount(file.client_email)
  await alice.client.call('PUT', `/store-connections/${id}/apps/${GOOGLE.appId}`)
  const findings = async () =>
    (await staleConnections(storage, clock)).map((source) => incidentText(connectionIncident(source)))
  assert.deepEqual(await findings(), [])
  clock.leap(5 * 24 * 3_600_000 + 1)
  const [finding, ...others] = await findings()
  assert.deepEqual(others, [])
  assert.match(
    finding ?? '',
    /^The store connection of Google Play com\.example\.larkspur has had no successful check\..*seven days/,
  )
})
