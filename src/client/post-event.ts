/** The answer of a program to an event: its HTTP status, or why there was none. */
export type PostResult = { readonly status: number } | { readonly error: string }

/**
 * Posts the bytes of an event to a URL of the user, such as a program on the same machine. Follows no redirects and
 * never rejects. `signal` aborts it.
 */
export async function postEvent(request: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}): Promise<PostResult> {
  const { url, headers, body, timeoutMs, signal } = request
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await answer.body?.cancel()
    return { status: answer.status }
  } catch (error) {
    return { error: reasonOf(error, timeoutMs) }
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `no answer in ${timeoutMs / 1000} s`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return String(cause)
}
