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
  INVALID_CODE: 'The code is wrong. Enter the newest one that your app shows.',
  INVALID_BACKUP_CODE: 'The backup code is wrong, or was used before.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in has expired. Enter your password again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Enter your password again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many wrong codes. Try again in 15 minutes.',
  TOTP_NOT_ENABLED: 'The second factor is not turned on.',
  TWO_FACTOR_NOT_ENABLED: 'The second factor is not turned on.',
  BACKUP_CODES_NOT_ENABLED: 'The second factor is not turned on.',
}

/** The message for the body of an error. For an unknown code it has only the status. */
export function sentenceOf(status: number, body: string): string {
  if (status === 429 && codeOf(body) === null) return 'Too many attempts; try again in a minute.'
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
  INVALID_CODE: 'code',
  INVALID_BACKUP_CODE: 'code',
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
