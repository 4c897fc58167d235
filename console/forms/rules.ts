import { fieldTexts } from '../messages/common.ts'

/** Form validation. The service checks the same rules; these save a round trip and show errors beside the field. */

export function nameProblem(value: string): string | null {
  return value.trim() === '' ? fieldTexts.nameMissing : null
}

export function emailProblem(value: string): string | null {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) ? null : fieldTexts.emailInvalid
}

export function newPasswordProblem(value: string): string | null {
  return value.length < 10 ? fieldTexts.passwordTooShort : null
}

/** A code of an app: six digits, also written in two groups. */
export function codeProblem(value: string): string | null {
  return /^\s*\d{3}\s*\d{3}\s*$/.test(value) ? null : fieldTexts.codeInvalid
}

export function urlProblem(value: string): string | null {
  if (!URL.canParse(value)) return fieldTexts.urlInvalid
  const { protocol } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? null : fieldTexts.urlScheme
}
