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

/** The key that seals signing secrets: the configured one, else the one in the data folder, created if missing. */
export function secretKeyOf(config: Pick<Config, 'secretKey' | 'dataDir'>, log: Log = silentLog): Buffer {
  if (config.secretKey !== null) return config.secretKey
  const path = keyFileOf(config)
  narrow(path, log)
  try {
    const text = readOrNull(path) ?? make(config.dataDir, path)
    const key = parseSealKey(text)
    if (key !== null) return key
  } catch (cause) {
    throw new StartupError(
      `The key file ${path} cannot be read or made (${messageOf(cause)}). Make the folder writable, or set RADAR_SECRET_KEY.`,
      { cause },
    )
  }
  throw new StartupError(
    `The key file ${path} does not hold ${SEAL_KEY_BYTES} bytes in base64. Put back the file that was there, or set RADAR_SECRET_KEY.`,
  )
}

/** With the key every signing secret in a copy of the database can be read. */
function narrow(path: string, log: Log): void {
  try {
    const before = narrowToOwner(path)
    if (before !== null) log.warn('secret_key.file_mode_narrowed', { file: path, before, now: '0600' })
  } catch (cause) {
    // An unreadable folder is reported when the file is read.
    if (!isCode(cause, 'EPERM') && !isCode(cause, 'EROFS')) return
    throw new StartupError(
      `The key file ${path} can be read by other users of this machine, and this user may not change that. Run "chmod 600 ${path}" as its owner, or set RADAR_SECRET_KEY.`,
      { cause },
    )
  }
}

/** The file of the key without a setting. */
export function keyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, FILE)
}

/**
 * Written to a temporary file and linked into place, so that two processes starting at once use the same complete key.
 */
function make(folder: string, path: string): string {
  makeFolder(folder, 0o700)
  const aside = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(aside, `${randomBytes(SEAL_KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    linkSync(aside, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(aside, { force: true })
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
