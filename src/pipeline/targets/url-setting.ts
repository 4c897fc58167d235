import { z } from 'zod'
import { saysUnquoted } from '../../contract/field.ts'

const URL_CHARS_MAX = 2048

/**
 * A URL that a service shows for copying. The error never quotes the value, which contains a secret. `isOfService`
 * checks the form; the host may be a proxy, so only its address is checked, when it is called.
 */
export function serviceUrl(field: string, allowed: string, isOfService: (url: URL) => boolean) {
  const wrong = `${field} must be ${allowed}.`
  return z
    .string(saysUnquoted(field, allowed))
    .trim()
    .max(URL_CHARS_MAX, `${field} must have at most ${URL_CHARS_MAX} characters.`)
    .refine((text) => {
      const url = URL.parse(text)
      return url !== null && isHttp(url) && url.username === '' && url.password === '' && isOfService(url)
    }, wrong)
}

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}
