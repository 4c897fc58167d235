import type { Content, Link } from '../content.ts'
import { htmlEscape } from '../escapes.ts'
import { chartsHtml } from './chart/charts-html.ts'
import type { MailParts } from './parts.ts'

/**
 * HTML for mail programs: tables and styles in attributes, and nothing loaded: pictures are inside the mail. It is also well-formed XML.
 * `dir="auto"` lets the words of a review have their own direction.
 */

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const COLORS = { good: '#2b9a66', neutral: '#c98a00', bad: '#d13f3f' } as const

export function htmlOf(
  { subject, heading, figures, entries, more, allUrl }: MailParts,
  unsubscribeUrl: string | null,
): string {
  const open = allUrl === null ? '' : row(button({ label: 'Open in Review Radar', url: allUrl }))
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><title>${htmlEscape(subject)}</title></head>
<body style="margin:0;padding:0;background:#f4f5f7;color:#1c1e21;${FONT};font-size:15px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border:1px solid #e1e4e8;border-radius:8px">
${heading === null ? '' : row(`<div style="font-size:18px;font-weight:600">${htmlEscape(heading)}</div>`)}
${figures === null ? '' : row(chartsHtml(figures))}
${entries.map((entry, index) => row(entryHtml(entry), index > 0 || heading !== null)).join('\n')}
${more === null ? '' : row(`<div style="color:#57606a">${htmlEscape(more)}</div>`, true)}
${open}
</table>
<div style="padding:16px;color:#57606a;font-size:12px">Sent by Review Radar to the addresses of a destination.${unsubscribeLink(unsubscribeUrl)}</div>
</td></tr></table>
</body></html>
`
}

function row(content: string, hasLine = false): string {
  return `<tr><td style="padding:20px 24px${hasLine ? ';border-top:1px solid #e1e4e8' : ''}">${content}</td></tr>`
}

function entryHtml({ heading, tone, quote, summary, facts, origin, links }: Content): string {
  return [
    `<div style="font-size:16px;font-weight:600">${htmlEscape(heading)}</div>`,
    quote === null
      ? ''
      : `<div dir="auto" style="margin:10px 0;padding:2px 0 2px 12px;border-left:3px solid ${COLORS[tone]}">${htmlEscape(quote).replaceAll('\n', '<br/>')}</div>`,
    summary === null ? '' : `<div style="margin:10px 0"><i>In English: ${htmlEscape(summary)}</i></div>`,
    facts.length === 0 ? '' : `<div style="margin:6px 0">${facts.map(chip).join(' ')}</div>`,
    `<div style="margin:6px 0;color:#57606a;font-size:13px">${origin.map(htmlEscape).join(' · ')}</div>`,
    links.length === 0 ? '' : `<div style="margin-top:14px">${links.map(button).join(' ')}</div>`,
  ].join('')
}

function chip(fact: string): string {
  return `<span style="display:inline-block;margin:2px 0;padding:1px 8px;border-radius:10px;background:#eef0f3;font-size:13px">${htmlEscape(fact)}</span>`
}

function button({ label, url }: Link): string {
  return `<a href="${htmlEscape(url)}" style="display:inline-block;margin:2px 0;padding:6px 12px;border:1px solid #d0d7de;border-radius:6px;color:#1c1e21;text-decoration:none;font-size:13px;font-weight:600">${htmlEscape(label)}</a>`
}

function unsubscribeLink(url: string | null): string {
  return url === null ? '' : ` <a href="${htmlEscape(url)}" style="color:#57606a">Unsubscribe</a>`
}
