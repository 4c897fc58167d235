/** A shell command that sends the same body. It is unsigned, because the secret stays in the service. */
export function curlOf(url: string, eventId: string, body: string): string {
  return [
    `curl -sS ${quote(url)}`,
    "-H 'Content-Type: application/json'",
    `-H ${quote(`x-radar-event-id: ${eventId}`)}`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ')
}

/** A shell command that creates a destination with a subscription. The reader sets `TOKEN`. */
export function subscribeCommand(baseUrl: string): string {
  return `curl -s ${baseUrl}/api/v1/hooks \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"target_url":"https://example.com/radar","store":"apple","app_id":"310633997","event_type":"review.created"}'`
}

/** A shell command that posts all events of the account to a local program. The reader sets `TOKEN`. */
export function listenCommand(baseUrl: string): string {
  return `RADAR_URL=${baseUrl} RADAR_TOKEN=$TOKEN \\
  radar listen --forward http://localhost:3000/`
}

/** Quotes text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
