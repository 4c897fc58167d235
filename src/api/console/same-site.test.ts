import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuseForeign } from './same-site.ts'

const ORIGINS = ['https://radar.example.com', 'http://127.0.0.1:8080']
const ask = (headers: Record<string, string>) => () =>
  refuseForeign({ 'x-radar-console': '1', host: 'radar.lan', ...headers }, ORIGINS)
const refused = { code: 'forbidden' }

describe('a change asked for in the console', () => {
  it('passes from our own pages, under every address we have', () => {
    ask({})()
    ask({ origin: 'https://radar.example.com', 'sec-fetch-site': 'same-origin' })()
    ask({ origin: 'http://127.0.0.1:8080' })()
    ask({ origin: 'http://radar.lan' })()
    ask({ 'sec-fetch-site': 'none' })()
  })

  it('is refused without the header of the console', () => {
    assert.throws(() => refuseForeign({ host: 'radar.lan' }, ORIGINS), refused)
    assert.throws(() => refuseForeign({ 'x-radar-console': '0', origin: ORIGINS[0] }, ORIGINS), refused)
  })

  it('is refused from pages of other sites, sandboxes and look-alikes', () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://radar.example.com.evil.example',
      'http://radar.example.com',
      'http://127.0.0.1:8081',
      'not an origin',
      '',
    ]) {
      assert.throws(ask({ origin }), refused, origin)
    }
  })

  it('is refused when the browser says that it crosses sites, whatever the origin says', () => {
    for (const site of ['cross-site', 'same-site', '']) {
      assert.throws(ask({ origin: 'http://127.0.0.1:8080', 'sec-fetch-site': site }), refused, site)
    }
  })
})
