import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestService, type TestService } from '../support/service.ts'

const HSTS = 'strict-transport-security'
const hstsOf = async (radar: TestService, headers = {}) =>
  (await radar.request('/healthz', { headers })).headers.get(HSTS)

describe('Strict-Transport-Security', () => {
  it('Strict-Transport-Security is sent when the public URL has https:', async () => {
    await using radar = await startTestService({ RADAR_PUBLIC_URL: 'https://radar.example.com' })
    assert.equal(await hstsOf(radar), 'max-age=31536000')
    assert.equal((await radar.request('/api/v1/hooks')).headers.get(HSTS), 'max-age=31536000')
  })

  it('Strict-Transport-Security is sent when a trusted proxy received the request over HTTPS', async () => {
    await using radar = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.1' })
    assert.equal(await hstsOf(radar, { 'x-forwarded-proto': 'https' }), 'max-age=31536000')
    assert.equal(await hstsOf(radar), null)
  })

  it('Strict-Transport-Security is not sent when an untrusted client claims HTTPS', async () => {
    await using radar = await startTestService()
    assert.equal(await hstsOf(radar, { 'x-forwarded-proto': 'https' }), null)
  })
})
