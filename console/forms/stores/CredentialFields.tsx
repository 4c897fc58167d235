import { Textarea, TextInput } from '@mantine/core'
import type { CredentialsBody } from '../../../src/contract/v1/store-connections.ts'
import { credentialTexts } from '../../messages/stores.tsx'
import type { FieldsProps } from '../problems.ts'
import { KeyFileField } from './KeyFileField.tsx'

/** The credentials of both stores, as the form edits them. */
export const NO_CREDENTIALS = {
  issuer_id: '',
  key_id: '',
  private_key: '',
  service_account: '',
  reports_bucket: '',
  app_ids: '',
} as const
export type CredentialField = keyof typeof NO_CREDENTIALS
export type Credentials = Readonly<Record<CredentialField, string>>

type CredentialProps = FieldsProps<Credentials, CredentialField> & {
  /** Whether the connection is new, instead of one that gets another key. */
  readonly isNew: boolean
}

export function CredentialFields({
  kind,
  ...props
}: CredentialProps & { readonly kind: CredentialsBody['kind'] }) {
  return kind === 'appstoreconnect' ? <AppStoreConnectFields {...props} /> : <GooglePlayFields {...props} />
}

/** The file that App Store Connect downloads has this name. */
const KEY_FILE = /^AuthKey_([A-Z0-9]{10})\.p8$/

function AppStoreConnectFields({ value, set, problems }: CredentialProps) {
  return (
    <>
      <KeyFileField
        label={credentialTexts.privateKey}
        description={credentialTexts.privateKeyNote}
        accept=".p8,.pem"
        button={credentialTexts.privateKeyFile}
        value={value.private_key}
        error={problems.at('private_key')}
        onChange={(private_key, fileName) => {
          const keyId = KEY_FILE.exec(fileName ?? '')?.[1]
          set(keyId !== undefined && value.key_id === '' ? { private_key, key_id: keyId } : { private_key })
        }}
      />
      <TextInput
        label={credentialTexts.keyId}
        placeholder={credentialTexts.keyIdPlaceholder}
        required
        value={value.key_id}
        onChange={(event) => set({ key_id: event.currentTarget.value })}
        error={problems.at('key_id')}
      />
      <TextInput
        label={credentialTexts.issuerId}
        description={credentialTexts.issuerIdNote}
        placeholder={credentialTexts.issuerIdPlaceholder}
        value={value.issuer_id}
        onChange={(event) => set({ issuer_id: event.currentTarget.value })}
        error={problems.at('issuer_id')}
      />
    </>
  )
}

function GooglePlayFields({ value, set, problems, isNew }: CredentialProps) {
  return (
    <>
      <KeyFileField
        label={credentialTexts.serviceAccount}
        description={credentialTexts.serviceAccountNote}
        accept=".json,application/json"
        button={credentialTexts.serviceAccountFile}
        value={value.service_account}
        error={problems.at('service_account')}
        onChange={(service_account) => set({ service_account })}
      />
      {isNew && (
        <Textarea
          label={credentialTexts.packageNames}
          description={credentialTexts.packageNamesNote}
          placeholder={credentialTexts.packageNamePlaceholder}
          required
          autosize
          minRows={2}
          value={value.app_ids}
          onChange={(event) => set({ app_ids: event.currentTarget.value })}
          error={problems.at('app_ids')}
        />
      )}
      {isNew && (
        <TextInput
          label={credentialTexts.reportsBucket}
          description={credentialTexts.reportsBucketNote}
          placeholder={credentialTexts.reportsBucketPlaceholder}
          value={value.reports_bucket}
          onChange={(event) => set({ reports_bucket: event.currentTarget.value })}
          error={problems.at('reports_bucket')}
        />
      )}
    </>
  )
}
