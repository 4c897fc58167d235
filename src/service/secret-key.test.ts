import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLog } from '../runtime/log.ts'
import { secretKeyOf } from './secret-key.ts'
import { StartupError } from './startup-error.ts'

const root = mkdtempSync(join(tmpdir(), 'radar-key-'))
after(() => rmSync(root, { recursive: true }))
let made = 0
const folder = () => join(root, String(made++))

test('a key and its folder are created once; later starts read the key', () => {
  const dataDir = folder()
  const key = secretKeyOf({ secretKey: null, dataDir })
  assert.equal(key.length, 32)
  assert.deepEqual(secretKeyOf({ secretKey: null, dataDir }), key)
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600)
})

test('a configured key takes precedence, and no file is created', () => {
  const dataDir = folder()
  const secretKey = Buffer.alloc(32, 1)
  assert.equal(secretKeyOf({ secretKey, dataDir }), secretKey)
  assert.ok(!readdirSync(root).includes(String(made - 1)))
})

test('a damaged key file is rejected and not changed', () => {
  const dataDir = folder()
  secretKeyOf({ secretKey: null, dataDir })
  writeFileSync(join(dataDir, 'secret.key'), 'oops\n')
  assert.throws(() => secretKeyOf({ secretKey: null, dataDir }), StartupError)
  assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'oops\n')
})

test('a folder that cannot be created is reported with a solution', () => {
  const file = folder()
  writeFileSync(file, '')
  assert.throws(
    () => secretKeyOf({ secretKey: null, dataDir: join(file, 'data') }),
    (error: Error) =>
      error instanceof StartupError &&
      /Make the folder writable, or set RADAR_SECRET_KEY/.test(error.message),
  )
})

test('a key file that others may read is restricted, and the log reports it', () => {
  const dataDir = folder()
  const key = secretKeyOf({ secretKey: null, dataDir })
  const path = join(dataDir, 'secret.key')
  chmodSync(path, 0o644)
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (event: string, fields?: object) => void warned.push([event, fields]) }
  assert.deepEqual(secretKeyOf({ secretKey: null, dataDir }, log), key)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(warned, [['secret_key.file_mode_narrowed', { file: path, before: '0644', now: '0600' }]])
  secretKeyOf({ secretKey: null, dataDir }, log)
  assert.equal(warned.length, 1)
})
