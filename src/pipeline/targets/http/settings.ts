import { z } from 'zod'
import { says, saysUnquoted } from '../../../contract/field.ts'
import { sampleEvent } from '../../../contract/sample.ts'
import { EVENT_TYPES } from '../../../model/vocabulary.ts'
import type { MessageEvent } from '../target.ts'
import { dataOf, digestDataOf, TEMPLATE_NAMES, type TemplateData } from './data.ts'
import { formatOf, HEADER, JSON_TEXT } from './places.ts'
import { parseTemplate, pathsOf, renderTemplate, type Template, unclearPlaceOf } from './template.ts'

const URL_CHARS_MAX = 2048
const BODY_CHARS_MAX = 16_384
const HEADERS_MAX = 20
const HEADER_CHARS_MAX = 2048
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
/** Headers of the connection, which the service sets. */
const RESERVED_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|user-agent|proxy-.*)$/i

const method = says('method', '"POST", "PUT" or "GET"')
const headersSay = saysUnquoted('headers', `an object of up to ${HEADERS_MAX} names and values`)

/** The values are never quoted in errors: URL, headers and body may contain secrets. */
export const httpSettings = z
  .object({
    method: z.enum(['POST', 'PUT', 'GET'], method).default('POST'),
    url: template('url', URL_CHARS_MAX).superRefine((source, context) => {
      const problem = urlProblemOf(source)
      if (problem !== null) context.addIssue({ code: 'custom', message: `url ${problem}` })
    }),
    headers: z
      .record(z.string(), template('headers', HEADER_CHARS_MAX), headersSay)
      .superRefine(checkHeaders)
      .transform((headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      )
      .nullish(),
    body: template('body', BODY_CHARS_MAX).nullish(),
  })
  .superRefine(checkBody)
export type HttpSettings = z.infer<typeof httpSettings>

/** The template of a setting that the schema has checked. */
export function parsed(source: string): Template {
  const result = parseTemplate(source)
  return result.ok ? result.template : [{ kind: 'text', text: source }]
}

function template(field: string, charsMax: number) {
  const allowed = `text of at most ${charsMax} characters`
  return z
    .string(saysUnquoted(field, allowed))
    .max(charsMax, `${field} must be ${allowed}.`)
    .superRefine((source, context) => {
      const problem = templateProblemOf(source)
      if (problem !== null) context.addIssue({ code: 'custom', message: `${field} ${problem}.` })
    })
    .meta({ format: 'template' })
}

function templateProblemOf(source: string): string | null {
  const result = parseTemplate(source)
  if (!result.ok) return result.problem
  const unknown = pathsOf(result.template).find(([first]) => !TEMPLATE_NAMES.some((name) => name === first))
  return unknown === undefined
    ? null
    : `has {{${unknown.join('.')}}}, but allowed are ${TEMPLATE_NAMES.slice(0, -1).join(', ')} and event with its fields, such as event.rating`
}

/** Scheme and host are fixed, so that no review chooses who gets the request. */
function urlProblemOf(source: string): string | null {
  const fixed = source.split('{{')[0] ?? ''
  const url = URL.parse(source.replace(/\{\{[^{}]*\}\}/g, ''))
  if (url === null || !/^https?:\/\/[^/?#]+[/?#]?/i.test(fixed))
    return 'must be an absolute http or https URL, such as https://example.com/notify.'
  if (fixed !== source && !/^https?:\/\/[^/?#]+[/?#]/i.test(fixed))
    return 'must have a fixed host: {{…}} is allowed only after it, in the path or query.'
  return url.username !== '' || url.password !== ''
    ? 'must not contain a user name or password. Use a header named authorization.'
    : null
}

function checkHeaders(headers: Readonly<Record<string, string>>, context: z.RefinementCtx): void {
  const names = Object.keys(headers)
  if (names.length > HEADERS_MAX)
    context.addIssue({
      code: 'custom',
      message: `headers must have at most ${HEADERS_MAX} names, not ${names.length}.`,
    })
  for (const name of names) {
    const problem = headerProblemOf(name, headers[name] ?? '')
    if (problem !== null) context.addIssue({ code: 'custom', path: [name], message: problem })
  }
}

function headerProblemOf(name: string, value: string): string | null {
  const shown = name.slice(0, 40)
  if (!HEADER_NAME.test(name))
    return `headers has the name ${JSON.stringify(shown)}, which is not the name of a header.`
  if (RESERVED_HEADERS.test(name)) return `headers must not contain ${shown}: the service sets it.`
  if (!/^[\x20-\x7E]*$/.test(value)) return `headers.${shown} must have only visible ASCII characters.`
  const unclear = unclearPlaceOf(parsed(value), HEADER)
  if (unclear !== null) return `headers ${unclear}, in ${shown}.`
  if (name.toLowerCase() === 'content-type' && value.includes('{{'))
    return 'headers.content-type must be fixed: it decides how the values of the body are escaped.'
  return null
}

type Given = {
  readonly method: string
  readonly headers?: Record<string, string> | null
  readonly body?: string | null
}

/** A body of JSON is filled with every type of event, so that a missing quote is found now and not at the first review. */
function checkBody({ method: verb, headers, body }: Given, context: z.RefinementCtx): void {
  // The template of the body has an issue of its own.
  if (body == null || templateProblemOf(body) !== null) return
  if (verb === 'GET') {
    context.addIssue({ code: 'custom', path: ['body'], message: 'body must be empty with the method GET.' })
    return
  }
  const format = formatOf(headers?.['content-type'] ?? 'application/json')
  const unclear = format === null ? unknownFormatOf(body) : unclearPlaceOf(parsed(body), format)
  if (unclear !== null) context.addIssue({ code: 'custom', path: ['body'], message: `body ${unclear}.` })
  if (unclear !== null || format !== JSON_TEXT) return
  for (const data of samples()) {
    try {
      JSON.parse(renderTemplate(parsed(body), data, format))
    } catch (error) {
      const detail = error instanceof Error ? error.message.replace(/, ".*|\.\.\..*/s, '') : ''
      const message = `body must be JSON after it is filled (${detail}). Write {{title}} or {{json event}} for a whole value, and "…{{title}}…" for a part of a text.`
      context.addIssue({ code: 'custom', path: ['body'], message })
      return
    }
  }
}

function unknownFormatOf(body: string): string | null {
  if (pathsOf(parsed(body)).length === 0) return null
  return 'may have values only where the content-type is JSON, HTML, XML, application/x-www-form-urlencoded, text/plain or text/markdown'
}

function samples(): TemplateData[] {
  const context = { appName: 'Sample "App"', country: null, storeUrl: null, consoleUrl: null }
  const events = EVENT_TYPES.map((type): MessageEvent => sampleEvent(type))
  const items = events.map((event) => ({ event, context }))
  const filled = {
    ...context,
    country: 'us',
    storeUrl: 'https://s.example',
    consoleUrl: 'https://c.example',
  } as const
  return [
    ...events.map((event) => dataOf(event, context)),
    ...events.map((event) => dataOf(event, filled)),
    digestDataOf(items, { consoleUrl: null, unsubscribeUrl: null, now: new Date(0) }),
  ]
}
