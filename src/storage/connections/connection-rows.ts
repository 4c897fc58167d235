import type { ConnectionCheck, ConnectionKind, StoreConnection } from '../../model/store-connection.ts'
import type { ConnectionUpdate } from '../port/store-connections.ts'
import { dateOf, dateOrNull, msOf, msOrNull, parsed } from '../values.ts'

export const CONNECTION_COLUMNS = `id, account_id, kind, name, subject, credentials, created_at, rotated_at, checked_at,
  apps, rights, warnings, problem`

export type ConnectionRow = {
  id: string
  account_id: string
  kind: ConnectionKind
  name: string
  subject: string
  credentials: string
  created_at: number
  rotated_at: number | null
  checked_at: number
  apps: string
  rights: string
  warnings: string
  problem: string | null
}

export function connectionOf(row: ConnectionRow): StoreConnection {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    subject: row.subject,
    credentials: row.credentials,
    createdAt: dateOf(row.created_at),
    rotatedAt: dateOrNull(row.rotated_at),
    check: {
      at: dateOf(row.checked_at),
      apps: parsed<ConnectionCheck['apps']>(row.apps),
      rights: parsed<ConnectionCheck['rights']>(row.rights),
      warnings: parsed<ConnectionCheck['warnings']>(row.warnings),
      problem: row.problem,
    },
  }
}

/** The values of `CONNECTION_COLUMNS`. */
export function connectionValues(connection: StoreConnection): (string | number | null)[] {
  const { id, accountId, kind, name, subject, credentials, createdAt, rotatedAt, check } = connection
  return [
    id,
    accountId,
    kind,
    name,
    subject,
    credentials,
    msOf(createdAt),
    msOrNull(rotatedAt),
    ...checkValues(check),
  ]
}

function checkValues({ at, apps, rights, warnings, problem }: ConnectionCheck): (string | number | null)[] {
  return [msOf(at), JSON.stringify(apps), JSON.stringify(rights), JSON.stringify(warnings), problem]
}

/** A stored connection with the change of an update. */
export function changedConnection(stored: StoreConnection, change: ConnectionUpdate): StoreConnection {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return { ...stored, ...given }
}
