import type { Content } from '../content.ts'
import { chartsText } from './chart/charts-html.ts'
import type { MailParts } from './parts.ts'

export function textOf(
  { heading, figures, entries, more, allUrl }: MailParts,
  unsubscribeUrl: string | null,
): string {
  const parts = [
    ...(heading === null ? [] : [heading]),
    ...(figures === null ? [] : [chartsText(figures)]),
    ...entries.map(entryText),
    ...(more === null ? [] : [more]),
    ...(allUrl === null ? [] : [`Open in Review Radar: ${allUrl}`]),
    ...(unsubscribeUrl === null ? [] : [`Unsubscribe: ${unsubscribeUrl}`]),
  ]
  return `${parts.join('\n\n')}\n`
}

function entryText({ heading, quote, summary, facts, origin, links }: Content): string {
  return [
    heading,
    ...(quote === null ? [] : [quote.replace(/^/gm, '> ')]),
    ...(summary === null ? [] : [`In English: ${summary}`]),
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    origin.join(' · '),
    ...links.map(({ label, url }) => `${label}: ${url}`),
  ].join('\n')
}
