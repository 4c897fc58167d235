import { Textarea, TextInput } from '@mantine/core'
import type { CredentialsBody } from '../../../src/contract/console/connections.ts'
import { credentialTexts } from '../../messages/stores.tsx'
import type { FieldsProps } from '../problems.ts'
import { KeyFileField } from './KeyFileField.tsx'

/** The credentials of both stores, as the form edits them. */
export const NO_CREDENTIALS = {
  issuerId: '',
  keyId: '',
  privateKey: '',
  serviceAccount: '',
  reportsBucket: '',
  appIds: '',
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
        value={value.privateKey}
        error={problems.at('privateKey')}
        onChange={(privateKey, fileName) => {
          const keyId = KEY_FILE.exec(fileName ?? '')?.[1]
          set(keyId !== undefined && value.keyId === '' ? { privateKey, keyId } : { privateKey })
        }}
      />
      <TextInput
        label={credentialTexts.keyId}
        placeholder={credentialTexts.keyIdPlaceholder}
        required
        value={value.keyId}
        onChange={(event) => set({ keyId: event.currentTarget.value })}
        error={problems.at('keyId')}
      />
      <TextInput
        label={credentialTexts.issuerId}
        description={credentialTexts.issuerIdNote}
        placeholder={credentialTexts.issuerIdPlaceholder}
        value={value.issuerId}
        onChange={(event) => set({ issuerId: event.currentTarget.value })}
        error={problems.at('issuerId')}
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
        value={value.serviceAccount}
        error={problems.at('serviceAccount')}
        onChange={(serviceAccount) => set({ serviceAccount })}
      />
      {isNew && (
        <Textarea
          label={credentialTexts.packageNames}
          description={credentialTexts.packageNamesNote}
          placeholder={credentialTexts.packageNamePlaceholder}
          required
          autosize
          minRows={2}
          value={value.appIds}
          onChange={(event) => set({ appIds: event.currentTarget.value })}
          error={problems.at('appIds')}
        />
      )}
      {isNew && (
        <TextInput
          label={credentialTexts.reportsBucket}
          description={credentialTexts.reportsBucketNote}
          placeholder={credentialTexts.reportsBucketPlaceholder}
          value={value.reportsBucket}
          onChange={(event) => set({ reportsBucket: event.currentTarget.value })}
          error={problems.at('reportsBucket')}
        />
      )}
    </>
  )
}
