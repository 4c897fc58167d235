import { PASSWORD_CHARS } from '../../model/input-limits.ts'

/** The codes of better-auth that users of the console can cause, with the messages that the console shows. */
const SENTENCES: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_EMAIL: 'This is not an e-mail address.',
  INVALID_PASSWORD: 'The current password is wrong.',
  PASSWORD_TOO_SHORT: `The new password needs at least ${PASSWORD_CHARS.min} characters.`,
  PASSWORD_TOO_LONG: `The new password has more than ${PASSWORD_CHARS.max} characters.`,
  INVALID_TOKEN: 'This link is no longer valid: it was used, or is older than an hour.',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'This user has no password.',
}

/** The message for the body of an error. For an unknown code it has only the status. */
export function sentenceOf(status: number, body: string): string {
  if (status === 429) return 'Too many attempts; try again in a minute.'
  if (status === 401 && codeOf(body) === null) return 'You are not signed in.'
  return (
    SENTENCES[codeOf(body) ?? ''] ??
    (status === 401 ? 'You are not signed in.' : `The request was rejected (${status}).`)
  )
}

/** Fields of the forms of the console by the code of better-auth. */
const FIELDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL: 'email',
  INVALID_PASSWORD: 'currentPassword',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
}

/** The field that an error is about; null for others. */
export function fieldOf(body: string): string | null {
  return FIELDS[codeOf(body) ?? ''] ?? null
}

function codeOf(body: string): string | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
      ? value.code
      : null
  } catch {
    return null
  }
}
