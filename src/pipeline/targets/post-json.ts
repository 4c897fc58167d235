import type { HttpMessage } from './target.ts'

export function postJson(url: string, payload: object, contentType = 'application/json'): HttpMessage {
  return {
    kind: 'http',
    method: 'POST',
    url,
    headers: { 'content-type': contentType },
    body: JSON.stringify(payload),
  }
}
