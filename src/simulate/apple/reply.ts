import type { SimulatedAnswer } from '../answer.ts'

/** Answers as Apple frames them. */

export function json(status: number, value: unknown, contentType = 'application/json'): SimulatedAnswer {
  return { status, headers: { 'content-type': `${contentType}; charset=utf-8` }, body: JSON.stringify(value) }
}

export function html(status: number, body: string): SimulatedAnswer {
  const page = `<!DOCTYPE html><html><head><title>Apple</title></head><body>${body}</body></html>`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}

/** The web API's errors. */
export function apiError(status: 400 | 404, title: string): SimulatedAnswer {
  return json(status, { errors: [{ id: 'SIMULATED', title, status: String(status), code: `${status}00` }] })
}

/** `2026-07-01T12:00:00Z`: without milliseconds, as the web API writes them. */
export function utcText(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, 'Z')
}
