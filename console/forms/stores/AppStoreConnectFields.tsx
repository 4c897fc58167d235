import { TextInput } from '@mantine/core'
import type { CredentialFieldsProps } from './credential-texts.ts'
import { KeyFileField } from './KeyFileField.tsx'

/** The file that App Store Connect downloads has this name. */
const KEY_FILE = /^AuthKey_([A-Z0-9]{10})\.p8$/

export function AppStoreConnectFields({ texts, edit, problemAt }: CredentialFieldsProps) {
  return (
    <>
      <KeyFileField
        label="Private key"
        description="App Store Connect → Users and Access → Integrations → App Store Connect API. The .p8 file can be downloaded once."
        accept=".p8,.pem"
        button="Choose the .p8 file"
        value={texts.privateKey}
        error={problemAt('privateKey')}
        onChange={(text, fileName) => {
          edit('privateKey', text)
          const keyId = KEY_FILE.exec(fileName ?? '')?.[1]
          if (keyId !== undefined && texts.keyId === '') edit('keyId', keyId)
        }}
      />
      <TextInput
        label="Key ID"
        placeholder="2X9R4HXF34"
        required
        value={texts.keyId}
        onChange={(event) => edit('keyId', event.currentTarget.value)}
        error={problemAt('keyId')}
      />
      <TextInput
        label="Issuer ID"
        description="Above the list of team keys. Leave it empty for an individual key."
        placeholder="57246542-96fe-1a63-e053-0824d011072a"
        value={texts.issuerId}
        onChange={(event) => edit('issuerId', event.currentTarget.value)}
        error={problemAt('issuerId')}
      />
    </>
  )
}
