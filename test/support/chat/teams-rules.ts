import { isObject, type Json, nothingSeen, type Seen } from './seen.ts'

/** What Microsoft documents about Adaptive Cards 1.5 in messages of workflows. */

const BYTES_MAX = 28 * 1024
const ELEMENTS = ['AdaptiveCard', 'Container', 'RichTextBlock', 'TextRun', 'TextBlock', 'Action.OpenUrl']

/** Why a workflow or Teams rejects the body; null if the card is shown. */
export function teamsProblemOf(body: string): string | null {
  if (Buffer.byteLength(body) > BYTES_MAX) return 'RequestEntityTooLarge'
  const payload: unknown = JSON.parse(body)
  if (!isObject(payload) || payload.type !== 'message' || !Array.isArray(payload.attachments))
    return 'TriggerInputSchemaMismatch'
  for (const attachment of payload.attachments) {
    if (attachment?.contentType !== 'application/vnd.microsoft.card.adaptive')
      return 'TriggerInputSchemaMismatch'
    const problem = problemOf(attachment.content)
    if (problem !== null || attachment.content.version !== '1.5') return problem ?? 'version'
  }
  return null
}

function problemOf(element: unknown): string | null {
  if (!isObject(element) || !ELEMENTS.includes(String(element.type)))
    return `element ${JSON.stringify(element)}`
  if (element.type === 'TextRun' || element.type === 'TextBlock') {
    const { text } = element
    return typeof text === 'string' && text !== '' && text.isWellFormed() ? null : 'text'
  }
  if (element.type === 'Action.OpenUrl') return URL.canParse(String(element.url)) ? null : 'url'
  for (const child of childrenOf(element)) {
    const problem = problemOf(child)
    if (problem !== null) return problem
  }
  return null
}

function childrenOf({ body, items, inlines, actions, selectAction }: Json): readonly unknown[] {
  return [body, items, inlines, selectAction === undefined ? [] : [selectAction], actions].flatMap((each) =>
    Array.isArray(each) ? each : [],
  )
}

export function seenInTeams(body: string): Seen {
  const seen = nothingSeen()
  const visit = (element: Json): void => {
    if (element.type === 'TextRun' || element.type === 'TextBlock') {
      const text = String(element.text)
      seen.text += `${text}\n`
      if (element.weight !== undefined || element.italic !== undefined) seen.styled.push(text)
      for (const [found] of text.matchAll(/\{\{|[$@]\{/g)) seen.mentions.push(found)
      // A text block reads Markdown.
      if (element.type === 'TextBlock')
        for (const [found] of text.matchAll(/[*_[\]\\`<]|^\s*(?:[-+]|\d+\.) /gm)) seen.mentions.push(found)
    }
    if (element.type === 'Action.OpenUrl') seen.links.push(String(element.url))
    for (const child of childrenOf(element)) if (isObject(child)) visit(child)
  }
  for (const { content } of JSON.parse(body).attachments) {
    if (content.msteams?.entities !== undefined) seen.mentions.push('entities')
    if (/\{\{|[$@]\{/.test(content.fallbackText)) seen.mentions.push('fallbackText')
    visit(content)
  }
  return seen
}
