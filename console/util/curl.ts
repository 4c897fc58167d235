/** A shell command that sends the same body. It is unsigned, because the secret stays in the service. */
export function curlOf(url: string, eventId: string, body: string): string {
  return [
    `curl -sS ${quote(url)}`,
    "-H 'Content-Type: application/json'",
    `-H ${quote(`x-radar-event-id: ${eventId}`)}`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ')
}

/** Quotes text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
