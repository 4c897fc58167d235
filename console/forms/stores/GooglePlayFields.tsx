import { Textarea, TextInput } from '@mantine/core'
import { credentialTexts } from '../../messages/stores.tsx'
import type { CredentialFieldsProps } from './credential-texts.ts'
import { KeyFileField } from './KeyFileField.tsx'

export function GooglePlayFields({ texts, edit, problemAt, isNew }: CredentialFieldsProps) {
  return (
    <>
      <KeyFileField
        label={credentialTexts.serviceAccount}
        description={credentialTexts.serviceAccountNote}
        accept=".json,application/json"
        button={credentialTexts.serviceAccountFile}
        value={texts.serviceAccount}
        error={problemAt('serviceAccount')}
        onChange={(text) => edit('serviceAccount', text)}
      />
      {isNew && (
        <Textarea
          label={credentialTexts.packageNames}
          description={credentialTexts.packageNamesNote}
          placeholder={credentialTexts.packageNamePlaceholder}
          required
          autosize
          minRows={2}
          value={texts.appIds}
          onChange={(event) => edit('appIds', event.currentTarget.value)}
          error={problemAt('appIds')}
        />
      )}
      {isNew && (
        <TextInput
          label={credentialTexts.reportsBucket}
          description={credentialTexts.reportsBucketNote}
          placeholder={credentialTexts.reportsBucketPlaceholder}
          value={texts.reportsBucket}
          onChange={(event) => edit('reportsBucket', event.currentTarget.value)}
          error={problemAt('reportsBucket')}
        />
      )}
    </>
  )
}
