import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { consoleClient, signedIn } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'

/** The form of a browser's answer, made up. */
const FORGED = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', attestationObject: 'oA', authenticatorData: 'AA', signature: 'AA' },
}

describe('passkeys', () => {
  it('passkeys are not offered at an IP address', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    assert.equal(await ann.fetchJson('GET', '/passkeys'), null)
    assert.equal((await consoleClient(running.url).request('GET', '/passkey-sign-in')).status, 409)
  })

  it('passkeys are added only with an answer to the challenge of this user', async () => {
    await using running = await startTestService({ RADAR_HOST: 'localhost' })
    const [ann, ben] = [await signedIn(running, 'Ann'), await signedIn(running, 'Ben')]
    const add = (headers = {}) =>
      ann.request('POST', '/passkeys', { name: 'Phone', response: FORGED }, headers)
    assert.match((await add()).text, /has expired/)
    await ann.fetchJson('GET', '/passkeys/options')
    assert.match((await add()).text, /an invalid passkey/)
    assert.match((await add()).text, /has expired/, 'a challenge serves once')
    const ofBen = await ben.request('GET', '/passkeys/options')
    const challenge = ofBen.headers.getSetCookie().find((line) => line.startsWith('radar.new_passkey='))
    const cookie = `${ann.cookie()}; ${challenge?.split(';')[0]}`
    assert.match((await add({ cookie })).text, /has expired/)
    assert.deepEqual(await ann.fetchJson('GET', '/passkeys'), [])
  })

  it('passkeys cannot be added in an old session', async () => {
    await using running = await startTestService({ RADAR_HOST: 'localhost' })
    const ann = await signedIn(running, 'Ann')
    assert.equal((await ann.request('GET', '/passkeys/options')).status, 200)
    running.clock.leap(16 * 60_000)
    const refused = await ann.request('GET', '/passkeys/options')
    assert.equal(refused.status, 403)
    assert.match(refused.text, /sign out and in again/)
  })

  it('passkeys of others are not found, and an unknown one does not sign in', async () => {
    await using running = await startTestService({ RADAR_HOST: 'localhost' })
    const [ann, ben] = [await signedIn(running, 'Ann'), await signedIn(running, 'Ben')]
    assert.equal((await ann.request('DELETE', '/passkeys/unknown')).status, 404)
    assert.equal((await ben.request('PATCH', '/passkeys/unknown', { name: 'Mine' })).status, 404)
    const client = consoleClient(running.url)
    const enter = () => client.request('POST', '/passkey-sign-in', { response: FORGED })
    assert.equal((await enter()).status, 400)
    await client.fetchJson('GET', '/passkey-sign-in')
    const refused = await enter()
    assert.equal(refused.status, 401)
    assert.match(refused.text, /not registered here/)
    assert.equal((await client.request('GET', '/members')).status, 401)
  })

  it('passkeys limit the sign-ins of one network, not of others', async () => {
    await using running = await startTestService({
      RADAR_HOST: 'localhost',
      RADAR_TRUSTED_PROXIES: '127.0.0.0/8,::1',
    })
    const client = consoleClient(running.url)
    const statusFrom = async (address: string) =>
      (await client.request('GET', '/passkey-sign-in', undefined, { 'x-forwarded-for': address })).status
    const statuses: number[] = []
    // The limit refills while the test runs.
    for (let n = 0; n < 250 && statuses.at(-1) !== 429; n += 1) {
      statuses.push(await statusFrom(`203.0.113.${n}`))
    }
    assert.equal(statuses.at(-1), 429)
    assert.ok(statuses.length > 60)
    assert.equal(await statusFrom('198.51.100.7'), 200)
  })
})
