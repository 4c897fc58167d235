import type { SimulatedAnswer } from '../answer.ts'
import type { Fault } from '../fault.ts'

/** The answer of an official API with a fault that replaces its answer; null for any other fault. */
export function faultAnswer(
  fault: Fault | null,
  errorOf: (status: number) => SimulatedAnswer,
): SimulatedAnswer | null {
  switch (fault?.kind) {
    case 'status': {
      const answer = errorOf(fault.status)
      const { retryAfterSeconds: seconds } = fault
      return seconds === undefined
        ? answer
        : { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
    }
    case 'html':
    case 'captcha':
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><h1>We will be back soon.</h1>',
      }
    case 'changed':
      return json(200, { items: [{ stars: 5, words: 'another format' }], more: false })
    case 'drop':
      return { status: 200, headers: {}, body: '', drop: true }
    default:
      return null
  }
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): SimulatedAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}
