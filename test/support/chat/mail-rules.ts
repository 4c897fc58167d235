import { SaxesParser } from 'saxes'
import type { MailMessage } from '../../../src/pipeline/targets/target.ts'
import { nothingSeen, type Seen } from './seen.ts'

/** What mail programs show of a mail, and what they turn into links by themselves. */

const LINKED_BY_ITSELF = [
  /\w:\/\/\S/gu,
  /www\.[\p{L}\p{N}]/giu,
  /[\p{L}\p{N}._+-]@[\p{L}\p{N}]/gu,
  /[\p{L}\p{N}-]\.[\p{L}]{2,}/gu,
  /\+\d{5,}/g,
]
const ELEMENTS = [
  'html',
  'head',
  'meta',
  'title',
  'body',
  'table',
  'tr',
  'td',
  'div',
  'span',
  'i',
  'a',
  'br',
  'img',
]
const ATTRIBUTES = [
  ...[
    'lang',
    'charset',
    'name',
    'content',
    'style',
    'role',
    'width',
    'cellpadding',
    'cellspacing',
    'align',
    'dir',
  ],
  ...['href', 'src', 'alt', 'height'],
]

/** Header lines are checked as SMTP sees them: no line breaks, at most 998 characters. */
export function mailProblemOf({ subject, headers, text, html }: MailMessage): string | null {
  for (const value of [subject, ...Object.entries(headers).flat()])
    if (/[\r\n\0]/.test(value) || Buffer.byteLength(value) > 998) return `header ${JSON.stringify(value)}`
  if (Buffer.byteLength(html) > 100 * 1024) return 'Gmail cuts the mail'
  return [subject, text, html].every((each) => each.isWellFormed()) ? null : 'not well-formed Unicode'
}

export function seenInMail(mail: MailMessage): Seen {
  const seen = nothingSeen()
  const parser = new SaxesParser()
  parser.on('error', (error) => seen.mentions.push(error.message))
  parser.on('opentag', ({ name, attributes }) => {
    if (!ELEMENTS.includes(name)) seen.mentions.push(`<${name}>`)
    for (const attribute of Object.keys(attributes))
      if (!ATTRIBUTES.includes(attribute)) seen.mentions.push(attribute)
    if (name === 'br') seen.text += '\n'
    if (name === 'img' && !/^cid:(?:stars|trend)@review-radar$/.test(String(attributes.src)))
      seen.mentions.push(String(attributes.src))
    if (name === 'a') seen.links.push(String(attributes.href))
    if (name === 'i' || name === 'span') seen.styled.push(name)
  })
  // Two blocks are two lines: the end of one and the start of the next are no address.
  parser.on('closetag', ({ name }) => {
    if (name === 'div' || name === 'td') seen.text += '\n'
  })
  parser.on('comment', (comment) => seen.mentions.push(comment))
  parser.on('text', (text) => {
    seen.text += text
  })
  parser.write(mail.html).close()
  const ownUrls = new Set(seen.links)
  let plain = mail.text
  for (const url of ownUrls) plain = plain.replaceAll(url, '')
  for (const pattern of LINKED_BY_ITSELF)
    for (const shown of [seen.text, plain])
      for (const [found] of shown.matchAll(pattern)) seen.mentions.push(found)
  return seen
}
