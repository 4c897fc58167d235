import { isUnfitText, visibleText } from '../../../../model/summary-text.ts'
import { extractJson } from '../extract-json.ts'
import { plainText } from '../plain-text.ts'

export type AcceptedDraft =
  | { readonly kind: 'accepted'; readonly value: string }
  /** Sentence parts for the repair request and the person. They never quote the model. */
  | { readonly kind: 'rejected'; readonly problems: readonly string[] }

/** A draft shortened below this part of the store's limit has lost its sense. */
const SHORTENED_MIN = 0.4
const MARKUP = /\*\*|__|^[^\S\n\r\u2028\u2029]*(?:#|[-*] )/m
const PLACEHOLDER = /\[[^\]\n]{1,60}\]/
const MENTION = /(?<![\p{L}\p{N}])@\w/u

/**
 * Validates the answer of a model. A draft that is too long is shortened to whole sentences. The review may have told the model what to
 * write, so that links, addresses and mentions are rejected, not removed: the sentences around them are part of the same attack.
 */
export function acceptDraft(answered: string, appName: string, charsMax: number): AcceptedDraft {
  const parsed = extractJson(answered)
  const given = typeof parsed === 'object' && parsed !== null && 'reply' in parsed ? parsed.reply : null
  if (typeof given !== 'string') return rejected('it was no JSON object with "reply"')
  const text = plainText(given)
  if (text === '') return rejected('it was empty')
  const problems: string[] = []
  if (isUnfitText(text, appName) || MENTION.test(visibleText(text)))
    problems.push('it had a link, a domain, an address, a user name, a long number or markup')
  else if (MARKUP.test(text)) problems.push('it had markup')
  if (PLACEHOLDER.test(text)) problems.push('it had a placeholder in brackets')
  if (problems.length > 0) return rejected(...problems)
  const short = shortened(text, charsMax)
  return short === null
    ? rejected(`it had more than ${charsMax} characters`)
    : { kind: 'accepted', value: short }
}

function rejected(...problems: string[]): AcceptedDraft {
  return { kind: 'rejected', problems }
}

/** The longest whole sentences within `charsMax`; null when too little is left. */
function shortened(text: string, charsMax: number): string | null {
  const chars = [...text]
  if (chars.length <= charsMax) return text
  const start = chars.slice(0, charsMax)
  const end = start.findLastIndex((char, at) => endsSentence(char, chars[at + 1] ?? ' '))
  return end + 1 < charsMax * SHORTENED_MIN ? null : start.slice(0, end + 1).join('')
}

/** A full stop within a version, such as "2.1", ends nothing. Chinese and Japanese have no space after theirs. */
function endsSentence(char: string, next: string): boolean {
  return /[。।\uFF01\uFF1F]/u.test(char) || (/[.!?…]/u.test(char) && /\s/u.test(next))
}
