/** Rules of forms that the service holds too; here they spare a round trip and stand beside their field. */

export function nameProblem(value: string): string | null {
  return value.trim() === '' ? 'Your name, as the others should see it' : null
}

export function emailProblem(value: string): string | null {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) ? null : 'This is not an e-mail address'
}

export function newPasswordProblem(value: string): string | null {
  return value.length < 10 ? 'At least 10 characters' : null
}

export function urlProblem(value: string): string | null {
  if (!URL.canParse(value)) return 'A whole address, such as https://example.com/radar'
  const { protocol } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? null : 'An address with http or https'
}
