/** Fields of an event that its CloudEvents headers are made of. */
type Event = {
  readonly event_id: string
  readonly event_type: string
  readonly subscriber_id: string
  readonly store: string
  readonly app_id: string
  readonly occurred_at: string
}

/**
 * The headers of CloudEvents 1.0 in binary mode (docs/contract.md, CloudEvents). They are computed from the body, so they are the same for
 * every attempt. Values follow the HTTP binding: characters outside visible ASCII, `"` and `%` are percent-encoded.
 */
export function cloudEventHeaders(body: string): Record<string, string> {
  const event = JSON.parse(body) as Event
  const headers = {
    'ce-specversion': '1.0',
    'ce-id': event.event_id,
    'ce-source': `/hooks/${event.subscriber_id}`,
    'ce-type': event.event_type,
    'ce-time': event.occurred_at,
    'ce-subject': `${event.store}/${event.app_id}`,
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, encoded(value)]))
}

function encoded(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]|["%]/gu, (char) =>
      [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    )
}
