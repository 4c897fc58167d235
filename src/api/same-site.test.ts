import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuseForeign } from './same-site.ts'

const ORIGINS = ['https://radar.example.com', 'http://127.0.0.1:8080']
const checking = (headers: Record<string, string>) => () =>
  refuseForeign({ 'x-radar-console': '1', host: 'radar.lan', ...headers }, ORIGINS)
const refused = { code: 'forbidden' }

describe('a change through the console', () => {
  it('a change through the console is accepted from the console at every URL of the service', () => {
    checking({})()
    checking({ origin: 'https://radar.example.com', 'sec-fetch-site': 'same-origin' })()
    checking({ origin: 'http://127.0.0.1:8080' })()
    checking({ origin: 'https://radar.lan' })()
    checking({ origin: 'http://localhost:9000', host: 'localhost:9000' })()
    checking({ origin: 'http://[::1]:9000', host: '[::1]:9000' })()
    checking({ 'sec-fetch-site': 'none' })()
  })

  it('a change through the console is rejected without the console header', () => {
    assert.throws(() => refuseForeign({ host: 'radar.lan' }, ORIGINS), refused)
    assert.throws(() => refuseForeign({ 'x-radar-console': '0', origin: ORIGINS[0] }, ORIGINS), refused)
  })

  it('a change through the console is rejected from other sites, sandboxes and similar host names', () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://radar.example.com.evil.example',
      'http://radar.example.com',
      'http://127.0.0.1:8081',
      'not an origin',
      '',
    ]) {
      assert.throws(checking({ origin }), refused, origin)
    }
  })

  it('a rejected change through the console names the setting and what the service got', () => {
    const message =
      /comes from https:\/\/reviews\.lan, but the service is at https:\/\/radar\.example\.com and got the Host radar\.lan\. .*RADAR_PUBLIC_URL/
    assert.throws(checking({ origin: 'https://reviews.lan', 'sec-fetch-site': 'same-origin' }), { message })
    assert.throws(checking({ origin: 'https://reviews.lan' }), { message })
  })

  it('a sign-in over plain http names the https URL when cookies hold only there', () => {
    const message =
      /opened at http:\/\/radar\.lan, .* RADAR_PUBLIC_URL is https:\/\/radar\.example\.com\. Open https:\/\/radar\.example\.com/
    assert.throws(checking({ origin: 'http://radar.lan' }), { ...refused, message })
    const onlyHttp = () =>
      refuseForeign({ 'x-radar-console': '1', host: 'radar.lan', origin: 'http://radar.lan' }, [
        'http://127.0.0.1:8080',
      ])
    assert.doesNotThrow(onlyHttp)
  })

  it('a change through the console is rejected when Sec-Fetch-Site is cross-site, with any origin', () => {
    for (const site of ['cross-site', 'same-site', '']) {
      assert.throws(checking({ origin: 'http://127.0.0.1:8080', 'sec-fetch-site': site }), refused, site)
    }
  })
})
