/** The fields of the form, as text. */
export const CREDENTIAL_FIELDS = [
  'issuerId',
  'keyId',
  'privateKey',
  'serviceAccount',
  'reportsBucket',
  'appIds',
] as const
export type CredentialTexts = Readonly<Record<(typeof CREDENTIAL_FIELDS)[number], string>>

export const NO_TEXTS: CredentialTexts = {
  issuerId: '',
  keyId: '',
  privateKey: '',
  serviceAccount: '',
  reportsBucket: '',
  appIds: '',
}

export type CredentialFieldsProps = {
  readonly texts: CredentialTexts
  readonly edit: (field: keyof CredentialTexts, value: string) => void
  readonly problemAt: (field: keyof CredentialTexts) => string | null
  readonly isNew: boolean
}
