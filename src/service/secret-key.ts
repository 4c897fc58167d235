import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, silentLog } from '../runtime/log.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { narrowToOwner } from '../runtime/private-file.ts'
import { parseSealKey, SEAL_KEY_BYTES } from '../runtime/seal.ts'
import type { Config } from './config/config.ts'
import { StartupError } from './startup-error.ts'

const FILE = 'secret.key'

/** The key that seals signing secrets: the configured key, or the one in the data folder, which is created if missing. */
export function secretKeyOf(config: Pick<Config, 'secretKey' | 'dataDir'>, log: Log = silentLog): Buffer {
  if (config.secretKey !== null) return config.secretKey
  const path = keyFileOf(config)
  narrow(path, log)
  try {
    const text = readOrNull(path) ?? createKey(config.dataDir, path)
    const key = parseSealKey(text)
    if (key !== null) return key
  } catch (cause) {
    throw new StartupError(
      `The key file ${path} cannot be read or created (${messageOf(cause)}). Make the folder writable, or set RADAR_SECRET_KEY.`,
      { cause },
    )
  }
  throw new StartupError(
    `The key file ${path} does not contain ${SEAL_KEY_BYTES} bytes in base64. Restore the previous file, or set RADAR_SECRET_KEY.`,
  )
}

/** Restricts the file to its owner, because the key can decrypt every signing secret in a copy of the database. */
function narrow(path: string, log: Log): void {
  try {
    const before = narrowToOwner(path)
    if (before !== null) log.warn('secret_key.file_mode_narrowed', { file: path, before, now: '0600' })
  } catch (cause) {
    // An unreadable folder is reported when the file is read.
    if (!isCode(cause, 'EPERM') && !isCode(cause, 'EROFS')) return
    throw new StartupError(
      `The key file ${path} can be read by other users of this machine, and this user cannot change that. Run "chmod 600 ${path}" as its owner, or set RADAR_SECRET_KEY.`,
      { cause },
    )
  }
}

/** The default file of the key. */
export function keyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, FILE)
}

/** Writes a temporary file and links it to its name, so that two processes that start at the same time use the same complete key. */
function createKey(folder: string, path: string): string {
  makeFolder(folder, 0o700)
  const temporary = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(temporary, `${randomBytes(SEAL_KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  return readFileSync(path, 'utf8')
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
