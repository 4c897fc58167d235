import assert from 'node:assert/strict'
import { it } from 'node:test'
import { targetHost } from './target-host.ts'

it('the host of a target always includes its port', () => {
  assert.equal(targetHost('https://Example.com/hook?a=b'), 'example.com:443')
  assert.equal(targetHost('http://example.com'), 'example.com:80')
  assert.equal(targetHost('https://example.com:8443/'), 'example.com:8443')
  assert.equal(targetHost('http://[::1]:80/'), '[::1]:80')
})

it('all hooks that send mail have one host, that of the mail server', () => {
  assert.equal(targetHost('mailto:team@example.com'), 'mail')
  assert.equal(targetHost('mailto:Team@example.org'), 'mail')
})

it('all hooks without a receiver of one kind have one host', () => {
  assert.equal(targetHost('pull:'), 'pull')
  assert.equal(targetHost('inbox:'), 'inbox')
})
