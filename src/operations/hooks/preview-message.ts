import type { MessagePreview } from '../../contract/console/destinations.ts'
import { sampleEvent } from '../../contract/sample.ts'
import type { FormattedTargetType } from '../../model/target.ts'
import type { EventType } from '../../model/vocabulary.ts'
import { contentOf } from '../../pipeline/targets/content.ts'
import { TARGETS } from '../../pipeline/targets/index.ts'
import type { HttpMessage } from '../../pipeline/targets/target.ts'
import type { Clock } from '../../runtime/clock.ts'
import { checkedSettings, type TargetSettings } from './target.ts'

const SAMPLE_CONTEXT = {
  appName: 'Your app',
  country: 'us',
  storeUrl: 'https://apps.apple.com/us/app/id123456789',
  consoleUrl: 'https://radar.example.com/reviews/…',
} as const

/** The message of a sample event. Throws `invalid` for a setting. */
export function previewMessage(
  { clock }: { readonly clock: Clock },
  type: FormattedTargetType,
  given: TargetSettings | null,
  eventType: EventType,
): MessagePreview {
  const event = sampleEvent(eventType)
  const { links, heading, quote, summary, facts, origin } = contentOf(event, SAMPLE_CONTEXT)
  const shown = { heading, quote, summary, facts, origin, links: links.map(({ label }) => label) }
  if (given === null) return { ...shown, text: null }
  const context = { ...SAMPLE_CONTEXT, unsubscribeUrl: null, now: clock.now() }
  const message = TARGETS[type].message(event, checkedSettings(type, given), context)
  if (message.kind === 'mail') return { ...shown, text: `Subject: ${message.subject}\n\n${message.text}` }
  return { ...shown, text: type === 'http' ? requestText(message) : null }
}

function requestText({ method, url, headers, body }: HttpMessage): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url}`, ...lines, ...(body === null ? [] : ['', body])].join('\n')
}
