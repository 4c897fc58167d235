import { createHmac, randomBytes } from 'node:crypto'
import { APP_RPC, HISTORY_RPC, REVIEW_REQUESTS } from '../../pipeline/appstores/google/known-formats.ts'
import { jsonPartsOf } from './json-parts.ts'
import { isProgramName } from './key-paths.ts'

/** Values of these keys are names of the store's programs. */
const CODE_KEYS: ReadonlySet<string> = new Set(['$kind', 'kind', 'type', 'rel', 'wrapperType'])
const CODE = /^[\w.:/-]{1,40}$/
/** Names in the frames of Google's calls. */
const FRAME_WORDS: ReadonlySet<string> = new Set([
  'wrb.fr',
  'di',
  'af.httprm',
  APP_RPC,
  HISTORY_RPC,
  ...REVIEW_REQUESTS.map(({ rpcId }) => rpcId),
])
/** Stars, dates and versions. */
const PLAIN =
  /^(?:\d{1,2}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)|\d{1,5}(?:\.\d{1,5}){1,4})$/

export type CleanAnswer = (text: string) => string

/**
 * Removes names and texts from answers, and keeps their shape: letters become `x`, and a long number in a text, such as an id, becomes
 * another one, always the same. Other numbers, stars, dates and versions stay. Of a page only the data of its scripts is left.
 */
export function createCleanAnswer(): CleanAnswer {
  const secret = randomBytes(32)
  const otherDigits = (digits: string) => {
    const hash = createHmac('sha256', secret).update(digits).digest('hex')
    return Array.from(digits, (_, at) => Number.parseInt(hash[at % hash.length] ?? '0', 16) % 10).join('')
  }
  const masked = (text: string) =>
    PLAIN.test(text.trim())
      ? text
      : text.replace(/\d{3,60}/g, otherDigits).replace(/[\p{L}\p{M}\p{S}]/gu, 'x')
  const cleanText = (text: string, name: string): string => {
    if (FRAME_WORDS.has(text) || (CODE_KEYS.has(name) && CODE.test(text))) return text
    const [inner] = /^\s*[[{]/.test(text) ? jsonPartsOf(text) : []
    return inner === undefined ? masked(text) : JSON.stringify(cleanValue(inner.value, name))
  }
  const cleanValue = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return cleanText(value, name)
    if (Array.isArray(value)) return value.map((item) => cleanValue(item, ''))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const nameOf = (key: string) => (isProgramName(key, entries.length) ? key : masked(key))
    return Object.fromEntries(entries.map(([key, item]) => [nameOf(key), cleanValue(item, key)]))
  }
  return (text) => {
    const parts = jsonPartsOf(text)
    if (parts.length > 0)
      return parts
        .map(({ name, value }) => `${name === '' ? '' : `${name}: `}${JSON.stringify(cleanValue(value, ''))}`)
        .join('\n')
    return /^\s*<\?xml/.test(text) ? cleanXml(text, masked) : masked(text)
  }
}

/**
 * Keeps tags and names of attributes; a value may contain `>`. Comments and CDATA are text. Each letter is read by three tags at most,
 * since two that began at different places are never in the same state.
 */
function cleanXml(text: string, masked: (text: string) => string): string {
  const cleanTag = (tag: string) =>
    tag.replace(/"[^"]*"|'[^']*'/g, (value) => value[0] + masked(value.slice(1, -1)) + value[0])
  return text
    .split(/(<(?:"[^"]*"|'[^']*'|[^<>"'])*>)/)
    .map((piece) => (/^<[?/]?[A-Za-z]/.test(piece) ? cleanTag(piece) : masked(piece)))
    .join('')
}
