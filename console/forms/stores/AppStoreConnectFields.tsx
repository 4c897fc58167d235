import { TextInput } from '@mantine/core'
import { credentialTexts } from '../../messages/stores.tsx'
import type { CredentialFieldsProps } from './credential-texts.ts'
import { KeyFileField } from './KeyFileField.tsx'

/** The file that App Store Connect downloads has this name. */
const KEY_FILE = /^AuthKey_([A-Z0-9]{10})\.p8$/

export function AppStoreConnectFields({ texts, edit, problemAt }: CredentialFieldsProps) {
  return (
    <>
      <KeyFileField
        label={credentialTexts.privateKey}
        description={credentialTexts.privateKeyNote}
        accept=".p8,.pem"
        button={credentialTexts.privateKeyFile}
        value={texts.privateKey}
        error={problemAt('privateKey')}
        onChange={(text, fileName) => {
          edit('privateKey', text)
          const keyId = KEY_FILE.exec(fileName ?? '')?.[1]
          if (keyId !== undefined && texts.keyId === '') edit('keyId', keyId)
        }}
      />
      <TextInput
        label={credentialTexts.keyId}
        placeholder={credentialTexts.keyIdPlaceholder}
        required
        value={texts.keyId}
        onChange={(event) => edit('keyId', event.currentTarget.value)}
        error={problemAt('keyId')}
      />
      <TextInput
        label={credentialTexts.issuerId}
        description={credentialTexts.issuerIdNote}
        placeholder={credentialTexts.issuerIdPlaceholder}
        value={texts.issuerId}
        onChange={(event) => edit('issuerId', event.currentTarget.value)}
        error={problemAt('issuerId')}
      />
    </>
  )
}
