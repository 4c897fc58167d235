import { createHash } from 'node:crypto'
import type { MailLinkPurpose } from '../../model/mail-link.ts'

/** Small pages without script for recipients of mails, who may have no sign-in. They name no address and no destination. */

const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f5f7;color:#1c1e21;font:16px/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:1rem;padding:2rem;background:#fff;border:1px solid #e1e4e8;border-radius:8px}
h1{margin:0 0 .5rem;font-size:1.25rem}
p{margin:0 0 1.25rem}p:last-child{margin:0}
button{font:inherit;font-weight:600;padding:.5rem 1rem;border:0;border-radius:6px;background:#2563c9;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #8ab4f8;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#141517;color:#e6e6e6}main{background:#1f2023;border-color:#373a40}}`

export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** The question. Opening it changes nothing, because mail programs and scanners open links. */
export function questionPage(purpose: MailLinkPurpose): string {
  const [title, consequence] = QUESTIONS[purpose]
  return page(
    title,
    `<p>${consequence}</p>
<form method="post"><button type="submit">${title}</button></form>`,
  )
}

const QUESTIONS: Readonly<Record<MailLinkPurpose, readonly [title: string, consequence: string]>> = {
  unsubscribe: ['Unsubscribe', 'You will no longer receive these e-mails about reviews and ratings.'],
  confirm: ['Confirm your address', 'You will receive these e-mails.'],
  subscribe: ['Subscribe again', 'You will receive these e-mails about reviews and ratings again.'],
}

export function donePage(purpose: MailLinkPurpose): string {
  return purpose === 'unsubscribe'
    ? page(
        'You are unsubscribed',
        '<p>You will no longer receive these e-mails. One that was already sent can still arrive.</p><p>To get them again, ask the people who run Review Radar: they can send you a link.</p>',
      )
    : page('You are subscribed', '<p>You will receive these e-mails.</p>')
}

export function invalidPage(): string {
  return page(
    'This link is not valid',
    '<p>Copy the whole link from the mail, or use the link of a newer mail.</p>',
  )
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title} · Review Radar</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
${content}
</main></body></html>
`
}
