import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { createOperations, type OperationsDeps } from '../../operations/operations.ts'
import { silentLog } from '../../runtime/log.ts'
import { guardPaths } from '../guard-paths.ts'
import { mountPages } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-pages-'))
const built = join(folder, 'built')
mkdirSync(join(built, 'assets'), { recursive: true })
mkdirSync(join(folder, 'empty'))
const INDEX = '<!doctype html><title>Review Radar</title>'
const SCRIPT = 'console.log("the console")'
writeFileSync(join(built, 'index.html'), INDEX)
writeFileSync(join(built, 'favicon.svg'), '<svg/>')
writeFileSync(join(built, 'assets/main-abc123.js'), SCRIPT)
writeFileSync(join(built, 'assets/main-abc123.js.br'), brotliCompressSync(SCRIPT))
writeFileSync(join(folder, 'secret.txt'), 'not served')

async function serverOf(pages: string) {
  const server = Fastify()
  guardPaths(server, {
    operations: createOperations({} as OperationsDeps),
    log: silentLog,
    limits: { apiRequest: () => {} },
    publicUrl: () => 'http://127.0.0.1',
    signIn: () => assert.fail('no request has a cookie'),
    origins: () => [],
  })
  server.get('/healthz', async () => ({ status: 'ok' }))
  await mountPages(server, pages, () => 'http://127.0.0.1')
  return server
}
const server = await serverOf(built)
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
const get = (url: string, headers = {}) => server.inject({ method: 'GET', url, headers })

describe('the built console', () => {
  it('the built console serves one document for every page, revalidated on each load', async () => {
    for (const path of [
      '/',
      '/apps',
      '/apps/google/com.example.app',
      '/reviews/abc?stars=1',
      '/accept/x_y-z',
    ]) {
      const answer = await get(path)
      assert.equal(answer.statusCode, 200, path)
      assert.equal(answer.body, INDEX, path)
      assert.match(String(answer.headers['content-type']), /^text\/html; charset=utf-8/)
      assert.equal(answer.headers['cache-control'], 'no-cache')
    }
  })

  it('the built console announces the first request of the page, so that its answer arrives with the scripts', async () => {
    const overview = '</api/console/session?with=overview>; rel=preload; as=fetch; crossorigin'
    const session = '</api/console/session>; rel=preload; as=fetch; crossorigin'
    const announced = async (path: string) =>
      (await get(path, { accept: 'text/html' })).headers.link ?? 'nothing'
    assert.equal(await announced('/'), overview)
    assert.equal(await announced('/?from=mail'), overview)
    assert.equal(await announced('/?range=7d'), session)
    assert.equal(await announced('/apps?"><script>'), session)
    assert.equal(await announced('/nowhere'), session)
    assert.equal(await announced('/assets/main-abc123.js'), 'nothing')
  })

  it('the built console has a content security policy without external scripts, inline scripts and framing', async () => {
    const { headers } = await get('/')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self'/)
    assert.match(policy, /base-uri 'none'/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.match(String(headers['permissions-policy']), /camera=\(\).*geolocation=\(\)/)
  })

  it('the built console lets browsers cache hashed files forever, and compresses them for clients that accept it', async () => {
    const plain = await get('/assets/main-abc123.js')
    assert.equal(plain.body, SCRIPT)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(plain.headers['content-type']), /javascript/)
    assert.equal(plain.headers['content-encoding'], undefined)
    const brotli = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' })
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.match(String(brotli.headers['content-type']), /javascript/)
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), SCRIPT)
    assert.match(String(brotli.headers.vary), /accept-encoding/i)
    assert.equal((await get('/favicon.svg')).body, '<svg/>')
  })

  it('the built console returns 404 for unknown API paths and assets', async () => {
    for (const path of ['/api', '/api/console/nothing', '/api/v2/hooks', '/assets/main-old.js', '/assets/']) {
      const answer = await get(path)
      assert.equal(answer.statusCode, 404, path)
      assert.deepEqual(answer.json(), { error: 'There is nothing at this path.' })
    }
    assert.equal((await get('/api/v1/nothing')).statusCode, 401)
    assert.equal((await server.inject({ method: 'POST', url: '/apps' })).statusCode, 404)
    assert.deepEqual((await get('/healthz')).json(), { status: 'ok' })
  })

  it('the built console returns 404 for a path that is not a page', async () => {
    for (const path of [
      '/.env',
      '/openapi.yaml',
      '/API/v1/hooks',
      '/favicon.png',
      '/apps/google',
      '/index.php',
    ]) {
      const answer = await get(path)
      assert.equal(answer.statusCode, 404, path)
      assert.deepEqual(answer.json(), { error: 'There is nothing at this path.' })
      const browsed = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      assert.equal(browsed.statusCode, 404, path)
      assert.equal(browsed.body, INDEX, 'a browser gets the console, which shows its "not found" page')
    }
  })

  it('the built console serves no file outside its folder', async () => {
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
      '/..%5csecret.txt',
      '/%00',
      '//secret.txt',
    ]) {
      const answer = await get(path)
      assert.ok(!answer.body.includes('not served'), path)
      assert.ok([200, 400, 404].includes(answer.statusCode), `${path}: ${answer.statusCode}`)
    }
  })

  it('the built console shows how to build the console when it is not built', async () => {
    const unbuilt = await serverOf(join(folder, 'empty'))
    const answer = await unbuilt.inject({ method: 'GET', url: '/' })
    assert.equal(answer.statusCode, 503)
    assert.match(answer.body, /npm run build:console/)
    assert.equal((await unbuilt.inject({ method: 'GET', url: '/.env' })).statusCode, 404)
    writeFileSync(join(folder, 'empty/index.html'), INDEX)
    assert.equal((await unbuilt.inject({ method: 'GET', url: '/' })).body, INDEX)
    await unbuilt.close()
  })
})
