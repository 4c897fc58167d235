import type { SimulatedAnswer } from '../answer.ts'

/** Answers in Apple's formats. */

export function json(status: number, value: unknown, contentType = 'application/json'): SimulatedAnswer {
  return { status, headers: { 'content-type': `${contentType}; charset=utf-8` }, body: JSON.stringify(value) }
}

export function html(status: number, body: string): SimulatedAnswer {
  const page = `<!DOCTYPE html><html><head><title>Apple</title></head><body>${body}</body></html>`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}

/** An error of the web API. */
export function apiError(status: 400 | 404, title: string): SimulatedAnswer {
  return json(status, { errors: [{ id: 'SIMULATED', title, status: String(status), code: `${status}00` }] })
}

/** A time in the format of the web API, without milliseconds: `2026-07-01T12:00:00Z`. */
export function utcText(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, 'Z')
}
