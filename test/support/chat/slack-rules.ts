import { isObject, type Json, nothingSeen, type Seen, type SeenSoFar } from './seen.ts'

/**
 * What Slack documents about payloads of incoming webhooks: which are rejected, and what readers see. Stricter than
 * Slack where its documentation is unclear: markup counts in plain text too.
 */

const BLOCK_TYPES = ['rich_text', 'context', 'header', 'section', 'divider']
const BLOCKS_MAX = 50
const BLOCK_CHARS_MAX = 13_200

/** The error text of Slack's answer; null if Slack accepts the payload. */
export function slackProblemOf(payload: unknown): string | null {
  if (!isObject(payload)) return 'invalid_payload'
  const blocks = payload.blocks ?? []
  if (!Array.isArray(blocks) || blocks.length > BLOCKS_MAX) return 'invalid_blocks'
  if (typeof payload.text !== 'string' && blocks.length === 0) return 'no_text'
  if (JSON.stringify(blocks).length > BLOCK_CHARS_MAX) return 'msg_blocks_too_long'
  return blocks.every(isBlock) ? null : 'invalid_blocks'
}

function isBlock(block: unknown): boolean {
  if (!isObject(block) || !BLOCK_TYPES.includes(String(block.type))) return false
  if (block.type === 'divider') return true
  if (block.type === 'header')
    return isTextObject(block.text, 150) && (block.text as Json).type === 'plain_text'
  if (block.type === 'section') return isTextObject(block.text, 3_000)
  if (block.type === 'context') return isList(block.elements, 10, (each) => isTextObject(each, 3_000))
  return isList(
    block.elements,
    100,
    (each) =>
      ['rich_text_section', 'rich_text_quote'].includes(String(each.type)) &&
      isList(each.elements, 100, isRichElement),
  )
}

function isRichElement(element: Json): boolean {
  if (element.type === 'text') return isText(element.text, 3_000)
  return element.type === 'link' && isText(element.url, 3_000) && URL.canParse(String(element.url))
}

function isTextObject(value: unknown, charsMax: number): boolean {
  if (!isObject(value) || !isText(value.text, charsMax)) return false
  return value.type === 'plain_text' || (value.type === 'mrkdwn' && value.emoji === undefined)
}

function isText(value: unknown, charsMax: number): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= charsMax && value.isWellFormed()
}

function isList(value: unknown, max: number, isEach: (each: Json) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= max &&
    value.every((each) => isObject(each) && isEach(each))
  )
}

/** What a reader sees of an accepted payload: its blocks and its notification. */
export function seenInSlack(payload: unknown): Seen {
  const seen = nothingSeen()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    else if (!isObject(value)) return
    else if (value.type === 'text' || value.type === 'link') {
      seen.text += `${value.text} `
      if (value.style !== undefined) seen.styled.push(String(value.text))
      if (value.type === 'link') seen.links.push(String(value.url))
    } else if (value.type === 'plain_text' || value.type === 'mrkdwn') {
      readMarkup(String(value.text), seen, value.type === 'mrkdwn')
    } else if (Array.isArray(value.elements)) {
      visit(value.elements)
    } else if (isObject(value.text)) {
      visit(value.text)
    } else if (value.type !== 'divider') {
      seen.mentions.push(String(value.type))
    }
  }
  if (isObject(payload)) {
    readMarkup(String(payload.text), seen, payload.mrkdwn !== false)
    visit(payload.blocks)
  }
  return seen
}

function readMarkup(text: string, seen: SeenSoFar, isMarkdown: boolean): void {
  for (const [markup] of text.matchAll(/<[^>]*>?|>/g)) seen.mentions.push(markup)
  if (isMarkdown) for (const [styled] of text.matchAll(/[*_~`][^*_~`]+[*_~`]/g)) seen.styled.push(styled)
  seen.text += `${text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')} `
}
