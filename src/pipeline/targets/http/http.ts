import type { Target } from '../target.ts'
import { dataOf, digestDataOf, type TemplateData } from './data.ts'
import { formatOf, HEADER, PLAIN, URL_PARTS } from './places.ts'
import { type HttpSettings, httpSettings, parsed } from './settings.ts'
import { renderTemplate } from './template.ts'

/** Servers reject long URLs and headers; a review in them is only a hint. */
const URL_VALUE_CHARS_MAX = 200
const HEADER_VALUE_CHARS_MAX = 500
const BODY_TYPE_DEFAULT = 'application/json'

/** A request of the user's own form. */
export const http: Target<HttpSettings> = {
  type: 'http',
  settings: httpSettings,
  secretFields: ['url', 'headers', 'body'],
  shownUrl: ({ url }) => `${new URL(url.split('{{')[0] ?? url).origin}/…`,
  message: (event, given, context) => request(given, dataOf(event, context)),
  digest: (items, given, context) => request(given, digestDataOf(items, context)),
  // Any service: only the general rules apply.
  failureOf: () => null,
  ratePerSecond: 5,
}

function request(given: HttpSettings, data: TemplateData) {
  const { method, url, headers, body } = given
  const contentType = headers?.['content-type'] ?? BODY_TYPE_DEFAULT
  const hasBody = method !== 'GET' && body != null
  return {
    kind: 'http',
    method,
    url: renderTemplate(parsed(url), data, URL_PARTS, URL_VALUE_CHARS_MAX),
    headers: {
      ...(hasBody && { 'content-type': contentType }),
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [
          name,
          renderTemplate(parsed(value), data, HEADER, HEADER_VALUE_CHARS_MAX),
        ]),
      ),
    },
    body: hasBody ? renderTemplate(parsed(body), data, formatOf(contentType) ?? PLAIN) : null,
  } as const
}
