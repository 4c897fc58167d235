/** Form validation. The service checks the same rules; these save a round trip and show errors beside the field. */

export function nameProblem(value: string): string | null {
  return value.trim() === '' ? 'Enter your name' : null
}

export function emailProblem(value: string): string | null {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) ? null : 'Enter a valid e-mail address'
}

export function newPasswordProblem(value: string): string | null {
  return value.length < 10 ? 'Use at least 10 characters' : null
}

/** A code of an app: six digits, also written in two groups. */
export function codeProblem(value: string): string | null {
  return /^\s*\d{3}\s*\d{3}\s*$/.test(value) ? null : 'Enter the six digits'
}

export function urlProblem(value: string): string | null {
  if (!URL.canParse(value)) return 'Enter a full URL, such as https://example.com/radar'
  const { protocol } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? null : 'Use http or https'
}
