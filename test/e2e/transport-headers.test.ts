import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestService, type TestService } from '../support/service.ts'

const HSTS = 'strict-transport-security'
const hstsOf = async (radar: TestService, headers = {}) =>
  (await radar.request('/healthz', { headers })).headers.get(HSTS)

describe('browsers are told to stay on HTTPS', () => {
  it('when the public URL is one', async () => {
    await using radar = await startTestService({ RADAR_PUBLIC_URL: 'https://radar.example.com' })
    assert.equal(await hstsOf(radar), 'max-age=31536000')
    assert.equal((await radar.request('/api/v1/hooks')).headers.get(HSTS), 'max-age=31536000')
  })

  it('when a trusted proxy says that the request came over it', async () => {
    await using radar = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.1' })
    assert.equal(await hstsOf(radar, { 'x-forwarded-proto': 'https' }), 'max-age=31536000')
    assert.equal(await hstsOf(radar), null)
  })

  it('but not when an untrusted sender claims it', async () => {
    await using radar = await startTestService()
    assert.equal(await hstsOf(radar, { 'x-forwarded-proto': 'https' }), null)
  })
})
