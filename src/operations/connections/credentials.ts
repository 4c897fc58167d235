import { CONNECTION_APPS_MAX, type ConnectionKind } from '../../model/store-connection.ts'
import type { StoreCredentials } from '../../pipeline/appstores/official.ts'
import { signingKeyOf, unwrapped } from '../../runtime/signed-token.ts'
import { OperationError } from '../error.ts'

/** Credentials as a person pastes them from the files of the store. */
export type CredentialsInput = {
  readonly kind: ConnectionKind
  /** Apple: null or absent for an individual key. */
  readonly issuerId?: string | null | undefined
  readonly keyId?: string | null | undefined
  /** Apple: the content of the `.p8` file. */
  readonly privateKey?: string | null | undefined
  /** Google: the content of the JSON file of a service account. */
  readonly serviceAccount?: string | null | undefined
  /** Google: as the Play Console copies it, with or without `gs://` and a path. */
  readonly reportsBucket?: string | null | undefined
  /** Google: package names, because it has no list of apps. */
  readonly appIds?: readonly string[] | null | undefined
}

/** Checked credentials. `subject` identifies them without revealing them. */
export type GivenCredentials = {
  readonly credentials: StoreCredentials
  readonly subject: string
  /** Undefined: not given. */
  readonly appIds: readonly string[] | undefined
  /** Whether the bucket of reports was given, also as none. */
  readonly hasBucket: boolean
}

/** Throws `invalid` with the field and what is allowed. Error messages never quote a key. */
export function credentialsOf(input: CredentialsInput): GivenCredentials {
  return input.kind === 'appstoreconnect' ? appStoreConnectOf(input) : googlePlayOf(input)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const KEY_ID = /^[A-Z0-9]{10}$/

function appStoreConnectOf({ issuerId, keyId, privateKey }: CredentialsInput): GivenCredentials {
  const issuer = issuerId?.trim() || null
  if (issuer !== null && !UUID.test(issuer)) {
    throw invalid(
      'issuerId',
      'must be the UUID above the list of team keys in App Store Connect, or empty for an individual key.',
    )
  }
  const id = keyId?.trim() ?? ''
  if (!KEY_ID.test(id)) {
    throw invalid(
      'keyId',
      'must be the ten capital letters and digits of the key, which are also in the name of its .p8 file.',
    )
  }
  const pem = privateKey?.trim() ?? ''
  const key = signingKeyOf(pem, 'ec')
  if (typeof key === 'string') {
    const problem = pem.startsWith('{')
      ? 'This is a JSON file. Google Play keys are JSON files; App Store Connect keys are .p8 files.'
      : key
    throw invalid('privateKey', `must be the whole content of the .p8 file of App Store Connect. ${problem}`)
  }
  return {
    credentials: { kind: 'appstoreconnect', issuerId: issuer, keyId: id, privateKey: pem },
    subject: id,
    appIds: undefined,
    hasBucket: false,
  }
}

function googlePlayOf({ serviceAccount, reportsBucket, appIds }: CredentialsInput): GivenCredentials {
  const file = jsonOf(serviceAccount ?? '')
  const text = (name: string) => {
    const value = file[name]
    return typeof value === 'string' && value.trim() !== '' ? value : null
  }
  const [clientEmail, privateKey] = [text('client_email'), text('private_key')]
  if (text('type') !== 'service_account' || clientEmail === null || privateKey === null) {
    throw invalid(
      'serviceAccount',
      'must be the key file of a service account: its type is "service_account", and it has client_email and private_key.',
    )
  }
  const key = signingKeyOf(privateKey, 'rsa')
  if (typeof key === 'string') {
    throw invalid('serviceAccount', `has a private_key that cannot sign. ${key} Download the file again.`)
  }
  return {
    credentials: {
      kind: 'googleplay-developer',
      clientEmail,
      privateKeyId: text('private_key_id'),
      privateKey,
      reportsBucket: bucketOf(reportsBucket),
    },
    subject: clientEmail,
    appIds: appIds == null ? undefined : packageNamesOf(appIds),
    hasBucket: reportsBucket !== undefined,
  }
}

/** https://cloud.google.com/storage/docs/buckets: 3 to 63 characters. */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/

/** The name of a bucket, from a name or an address such as `gs://pubsite_prod_rev_0123/reviews/`. */
export function bucketOf(given: string | null | undefined): string | null {
  const text = given?.trim() ?? ''
  if (text === '') return null
  const name = text.replace(/^gs:\/\//, '').split('/', 1)[0] ?? ''
  if (BUCKET.test(name)) return name
  throw invalid(
    'reportsBucket',
    'must be the Cloud Storage URI that the Play Console copies, such as gs://pubsite_prod_rev_0123456789.',
  )
}

/** https://developer.android.com/build/configure-app-module: at least two parts, each starting with a letter. */
const PACKAGE = /^[a-z]\w*(?:\.[a-z]\w*)+$/i

/** Trimmed package names, each once. */
export function packageNamesOf(given: readonly string[]): string[] {
  const names = [...new Set(given.map((name) => name.trim()).filter(Boolean))]
  if (names.length === 0 || names.length > CONNECTION_APPS_MAX) {
    throw invalid(
      'appIds',
      `must be 1 to ${CONNECTION_APPS_MAX} package names, because Google has no list of apps.`,
    )
  }
  const wrong = names.find((name) => !PACKAGE.test(name))
  if (wrong === undefined) return names
  throw invalid(
    'appIds',
    `must be package names such as com.example.app; "${wrong.slice(0, 60)}" is not one.`,
  )
}

/** The name of a connection without a given one. */
export function defaultName(kind: ConnectionKind, subject: string): string {
  return kind === 'appstoreconnect'
    ? `App Store Connect ${subject}`
    : `Google Play ${subject.split('@', 1)[0]}`
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(unwrapped(text))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The sentence below names both cases.
  }
  const isPem = text.trimStart().startsWith('-----BEGIN ')
  const problem = isPem
    ? ' This is a key in PEM: App Store Connect has .p8 files, Google Play has JSON files.'
    : ''
  throw invalid(
    'serviceAccount',
    `must be the JSON key file of a service account, from its first { to its last }.${problem}`,
  )
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
