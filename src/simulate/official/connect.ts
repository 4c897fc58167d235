import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { World } from '../world.ts'
import type { AppleRole } from './official-world.ts'

/** Keys that the simulated stores accept, in the form in which the real ones give them out. */

export type AppleCredentials = {
  readonly issuerId: string | null
  readonly keyId: string
  /** The content of the `.p8` file. */
  readonly privateKey: string
}

/** Creates a key of App Store Connect. Without `appIds` it reaches all apps. */
export function createAppleKey(
  world: World,
  options: {
    readonly role?: AppleRole
    readonly appIds?: readonly string[]
    /** A key of a user, which has no issuer. */
    readonly individual?: boolean
  } = {},
): AppleCredentials {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyId = randomBytes(5).toString('hex').toUpperCase()
  const issuerId = options.individual === true ? null : randomUUID()
  const { role = 'ADMIN', appIds = null } = options
  world.official.addAppleKey({ keyId, issuerId, publicKey, role, appIds })
  return { issuerId, keyId, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** The file of a service account, with the fields of a real one that matter. */
export type ServiceAccountFile = {
  readonly type: 'service_account'
  readonly project_id: string
  readonly private_key_id: string
  readonly private_key: string
  readonly client_email: string
  readonly token_uri: string
  readonly universe_domain: string
}

/** Creates a service account that may read and answer the reviews of these apps. */
export function createServiceAccount(
  world: World,
  options: {
    readonly appIds: readonly string[]
    /** A bucket that it may read; none by default. */
    readonly bucket?: string
    readonly apiEnabled?: boolean
  },
): ServiceAccountFile {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKeyId = randomBytes(20).toString('hex')
  const clientEmail = `radar-${randomBytes(3).toString('hex')}@example-project.iam.gserviceaccount.com`
  const { appIds, bucket = null, apiEnabled = true } = options
  world.official.addServiceAccount({ clientEmail, privateKeyId, publicKey, appIds, bucket, apiEnabled })
  return {
    type: 'service_account',
    project_id: 'example-project',
    private_key_id: privateKeyId,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: clientEmail,
    token_uri: 'https://oauth2.googleapis.com/token',
    universe_domain: 'googleapis.com',
  }
}
