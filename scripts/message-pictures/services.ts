import { htmlEscape as text } from '../../src/pipeline/targets/escapes.ts'
import type { Message } from '../../src/pipeline/targets/target.ts'

/** Draws messages about as the services show them: enough to judge order, length and markup. */

type Json = Record<string, unknown>
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

export function payloadOf(message: Message): Json {
  return message.kind === 'http' && message.body !== null ? JSON.parse(message.body) : {}
}

export function slackHtml(payload: Json): string {
  const inline = (element: Json): string => {
    const {
      type,
      text: words,
      style,
      url,
    } = element as { type: string; text: string; style?: Json; url?: string }
    const shown = text(words).replaceAll('\n', '<br>')
    if (type === 'link') return `<a href="${text(url ?? '')}">${shown}</a>`
    if (style === undefined) return shown
    return 'bold' in style ? `<b>${shown}</b>` : `<i>${shown}</i>`
  }
  const inner = (element: Json) => list(element.elements).map(inline).join('')
  const block = (value: Json): string => {
    if (value.type === 'context')
      return `<div class="small">${list(value.elements)
        .map((each) => decoded(String(each.text)))
        .join('')}</div>`
    return list(value.elements)
      .map((each) =>
        each.type === 'rich_text_quote'
          ? `<blockquote>${inner(each)}</blockquote>`
          : `<div>${inner(each)}</div>`,
      )
      .join('')
  }
  return frame('slack', 'Review Radar', list(payload.blocks).map(block).join('<div class="gap"></div>'))
}

/** Slack decodes three entities. */
function decoded(words: string): string {
  return text(words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
}

export function discordHtml(payload: Json): string {
  const [embed = {} as Json] = list(payload.embeds)
  const { description, color, footer } = embed as {
    description: string
    color: number
    footer?: { text: string }
  }
  const bar = `#${color.toString(16).padStart(6, '0')}`
  const content = `<div>${markdown(description)}</div>${footer === undefined ? '' : `<div class="small">${text(footer.text)}</div>`}`
  return frame('discord', 'Review Radar', `<div class="embed" style="border-color:${bar}">${content}</div>`)
}

/** Discord's Markdown, as far as the messages use it. */
function markdown(source: string): string {
  const marks: string[] = []
  const masked = source.replace(
    /\\([^0-9A-Za-z\s])/g,
    (_whole, mark: string) => `\uE000${marks.push(mark) - 1}\uE001`,
  )
  return text(masked)
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\*([^*]+)\*/g, '<i>$1</i>')
    .replace(
      /(?:^&gt; .*\n?)+/gm,
      (quote) => `<blockquote>${quote.trimEnd().replace(/^&gt; /gm, '')}</blockquote>`,
    )
    .replace(/\uE000(\d+)\uE001/g, (_whole, index: string) => text(marks[Number(index)] ?? ''))
    .replaceAll('\n', '<br>')
}

const TELEGRAM_TAGS: Readonly<Record<string, readonly [string, string]>> = {
  bold: ['<b>', '</b>'],
  italic: ['<i>', '</i>'],
  blockquote: ['<blockquote>', '</blockquote>'],
  expandable_blockquote: ['<blockquote>', '</blockquote>'],
}

export function telegramHtml(payload: Json): string {
  const { text: words, reply_markup } = payload as {
    text: string
    reply_markup?: { inline_keyboard: Json[][] }
  }
  let html = ''
  let end = 0
  for (const entity of list(payload.entities)) {
    const { type, offset, length, url } = entity as {
      type: string
      offset: number
      length: number
      url?: string
    }
    const [open, close] = TELEGRAM_TAGS[type] ?? [`<a href="${text(url ?? '')}">`, '</a>']
    html += text(words.slice(end, offset)) + open + text(words.slice(offset, offset + length)) + close
    end = offset + length
  }
  html += text(words.slice(end))
  const buttons = (reply_markup?.inline_keyboard ?? [])
    .flat()
    .map((each) => `<span class="button">${text(String(each.text))}</span>`)
  return frame(
    'telegram',
    'Review Radar',
    `<div class="lines">${html.replaceAll('</blockquote>\n', '</blockquote>')}</div>`,
    buttons.join(''),
  )
}

export function teamsHtml(payload: Json): string {
  const element = (value: Json): string => {
    const { type, style, separator } = value as { type: string; style?: string; separator?: boolean }
    if (type === 'RichTextBlock') return `<div>${list(value.inlines).map(run).join('')}</div>`
    return `<div class="${style ?? ''} ${separator === true ? 'line' : ''}">${list(value.items).map(element).join('')}</div>`
  }
  const run = (value: Json): string => {
    const { text: words, weight, italic, isSubtle, color } = value as Record<string, string>
    return `<span class="${[weight, italic && 'italic', isSubtle && 'subtle', color].filter(Boolean).join(' ')}">${text(words ?? '')}</span>`
  }
  const [attachment] = list(payload.attachments)
  const card = (attachment?.content ?? {}) as Json
  const actions = list(card.actions).map((each) => `<span class="button">${text(String(each.title))}</span>`)
  return frame('teams', 'Workflows', list(card.body).map(element).join(''), actions.join(''))
}

export function pushHtml(payload: Json): string {
  const { title, message, body } = payload as Record<string, string>
  return frame(
    'push',
    'ntfy',
    `<b>${text(title ?? '')}</b><div class="lines">${text(message ?? body ?? '')}</div>`,
  )
}

export function mailHtml(message: Message): string {
  if (message.kind !== 'mail') return ''
  const html = message.images.reduce(
    (shown, { cid, png }) =>
      shown.replaceAll(`cid:${cid}`, `data:image/png;base64,${Buffer.from(png).toString('base64')}`),
    message.html,
  )
  return frame('mail', message.subject, `<iframe srcdoc="${text(html)}"></iframe>`)
}

function frame(service: string, sender: string, content: string, below = ''): string {
  return `<section class="${service}"><header>${text(sender)}</header><div class="message">${content}</div><div class="below">${below}</div></section>`
}

export const CSS = `
body{margin:0;padding:24px;background:#fff;font:14px/1.45 system-ui,sans-serif;display:grid;grid-template-columns:repeat(2,560px);gap:24px;align-items:start}
section{border:1px solid #ddd;border-radius:8px;padding:14px;overflow-wrap:anywhere}
section header{font-weight:700;font-size:13px;margin-bottom:6px}
blockquote{margin:4px 0;padding-left:10px;border-left:4px solid #ccc;white-space:pre-line}
.small{font-size:12px;color:#616061}.gap{height:6px}.lines{white-space:pre-line}
a{color:#1264a3;text-decoration:none}
.discord{background:#313338;color:#dbdee1}.discord a{color:#00a8fc}.discord .small{color:#b5bac1;margin-top:8px}
.embed{border-left:4px solid;border-radius:4px;background:#2b2d31;padding:10px 14px}
.telegram{background:#d5e4d0}.telegram .message{background:#fff;border-radius:10px;padding:8px 12px}
.telegram blockquote{background:#eef5fb;border-color:#3390ec;border-radius:4px;padding:4px 8px}
.button{display:inline-block;margin:8px 8px 0 0;padding:5px 12px;border:1px solid #c8c8c8;border-radius:5px;background:#fff;font-size:13px;font-weight:600}
.teams .message>div{margin:6px 0}.emphasis{background:#f3f2f1;padding:8px 12px;border-radius:4px}.line{border-top:1px solid #ddd;padding-top:8px}
.bolder{font-weight:700}.italic{font-style:italic}.subtle{color:#707070;font-size:12px}.attention{color:#c4314b}.good{color:#237b4b}
.mail iframe{width:100%;height:430px;border:0}.push{background:#f4f7f6}
`
