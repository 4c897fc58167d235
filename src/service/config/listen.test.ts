import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, configOf } from './config.ts'
import { listenConfigOf } from './listen.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-listen-'))
after(() => rmSync(folder, { recursive: true }))

const GIVEN = {
  RADAR_URL: 'https://radar.example.com/',
  RADAR_TOKEN: 'rsk_1',
  RADAR_LISTEN_SECRET: 'whsec_1',
}

test('without settings the URL is that of the local service', () => {
  assert.deepEqual(listenConfigOf({}), { url: 'http://127.0.0.1:8080', token: null, secret: null })
})

test('settings come from the environment, from secret files and from the settings file', () => {
  assert.deepEqual(listenConfigOf(GIVEN), {
    url: 'https://radar.example.com',
    token: 'rsk_1',
    secret: 'whsec_1',
  })
  const [token, settings] = [join(folder, 'token'), join(folder, 'radar.conf')]
  writeFileSync(token, 'rsk_2\n')
  writeFileSync(settings, 'RADAR_LISTEN_SECRET=whsec_2\n')
  const config = listenConfigOf({ RADAR_CONFIG: settings, RADAR_TOKEN_FILE: token })
  assert.deepEqual([config.token, config.secret], ['rsk_2', 'whsec_2'])
})

test('a wrong address and a misspelt name are reported together', () => {
  assert.throws(
    () => listenConfigOf({ RADAR_URL: 'radar.example.com', RADAR_TOKN: 'rsk_1' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(error.errors, [
        'RADAR_TOKN (from the environment) is not a setting. Did you mean RADAR_TOKEN?',
        'RADAR_URL must be an http or https URL such as https://radar.example.com, not "radar.example.com".',
      ])
      return true
    },
  )
})

test('the service and all other commands ignore these settings', () => {
  assert.equal(configOf(GIVEN).port, 8080)
})
