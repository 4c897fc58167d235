import { Textarea, TextInput } from '@mantine/core'
import type { CredentialFieldsProps } from './credential-texts.ts'
import { KeyFileField } from './KeyFileField.tsx'

export function GooglePlayFields({ texts, edit, problemAt, isNew }: CredentialFieldsProps) {
  return (
    <>
      <KeyFileField
        label="Service account key"
        description="The JSON key of a service account that the Play Console invited, with the rights to view app information and to reply to reviews."
        accept=".json,application/json"
        button="Choose the JSON file"
        value={texts.serviceAccount}
        error={problemAt('serviceAccount')}
        onChange={(text) => edit('serviceAccount', text)}
      />
      {isNew && (
        <Textarea
          label="Package names"
          description="One per line. Google has no list of apps."
          placeholder="com.example.app"
          required
          autosize
          minRows={2}
          value={texts.appIds}
          onChange={(event) => edit('appIds', event.currentTarget.value)}
          error={problemAt('appIds')}
        />
      )}
      <TextInput
        label="Reports bucket"
        description="Optional, for reviews older than a week. Play Console → Download reports → Reviews → Copy Cloud Storage URI."
        placeholder="gs://pubsite_prod_rev_0123456789"
        value={texts.reportsBucket}
        onChange={(event) => edit('reportsBucket', event.currentTarget.value)}
        error={problemAt('reportsBucket')}
      />
    </>
  )
}
