import { createHash } from 'node:crypto'
import { PAGE_STYLE } from './reference-style.ts'

type Json = { readonly [key: string]: unknown }

/**
 * The API reference as one page, generated from the OpenAPI document. A viewer of npm would need script, which the content security
 * policy forbids: it allows only the page's own style, by hash.
 */
export function referencePage(document: Json): {
  readonly html: string
  readonly contentSecurityPolicy: string
} {
  const schemas = record(at(document, 'components', 'schemas'))
  const operations = Object.entries(record(document.paths)).flatMap(([path, methods]) =>
    Object.entries(record(methods)).map(([method, operation]) => ({
      method,
      path,
      operation: record(operation),
    })),
  )
  const webhooks = Object.entries(record(document.webhooks)).map(([name, item]) => ({
    method: 'event',
    path: name,
    operation: record(at(item, 'post')),
  }))
  const info = record(document.info)
  const links = [...operations, ...webhooks].map(
    ({ method, path, operation }) =>
      `<li><a href="#${text(operation.operationId)}">${badge(method)}<span>${text(operation.summary)}</span><code>${text(path)}</code></a></li>`,
  )
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)} API reference</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<nav aria-label="Operations">
<p class="brand">${text(info.title)}<small>API ${text(info.version)}</small></p>
<ul>${links.join('')}</ul>
<p><a href="openapi.json">OpenAPI 3.1 document</a></p>
</nav>
<main>
<header><h1>API reference</h1>${prose(info.description)}</header>
${operations.map((each) => section(each, schemas)).join('')}
<h2 id="events" class="part">Events</h2>
${webhooks.map((each) => section(each, schemas)).join('')}
</main>
</body>
</html>
`
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64')
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

function section(
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Json },
  schemas: Json,
): string {
  const body = record(at(operation, 'requestBody', 'content', 'application/json'))
  const parameters = list(operation.parameters).map((parameter) => ({
    name: `${text(parameter.name)}`,
    required: parameter.required === true,
    place: text(parameter.in),
    schema: {
      ...record(parameter.schema),
      description: parameter.description ?? at(parameter, 'schema', 'description'),
    },
  }))
  const [schemaExample] = list(resolved(record(body.schema), schemas).examples)
  const example = body.example ?? schemaExample
  const answers = Object.entries(record(operation.responses)).map(([status, answer]) => {
    const schema = record(at(answer, 'content', 'application/json', 'schema'))
    const good = status.startsWith('2')
    const shape = good && Object.keys(schema).length > 0 ? fields(schema, schemas) : ''
    return `<dt class="${good ? 'good' : 'bad'}">${text(status)}</dt><dd>${prose(record(answer).description)}${shape}</dd>`
  })
  return `<section id="${text(operation.operationId)}">
<h2>${badge(method)} <code>${text(path)}</code></h2>
<h3>${text(operation.summary)}</h3>
${prose(operation.description)}
${parameters.length > 0 ? `<h4>Parameters</h4>${table(parameters.map((each) => row(each.name, each.schema, each.required, each.place)))}` : ''}
${body.schema ? `<h4>Body</h4>${fields(record(body.schema), schemas, method !== 'event')}` : ''}
${example ? `<h4>Example</h4><pre tabindex="0">${text(JSON.stringify(example, null, 2))}</pre>` : ''}
<h4>Responses</h4><dl>${answers.join('')}</dl>
</section>
`
}

/**
 * The fields of an object schema, or of a list's elements, as a table; nested objects in a disclosure. Required fields are marked only in
 * requests, because responses and events always have all fields.
 */
function fields(schema: Json, schemas: Json, isRequest = false): string {
  const element = record(schema.items)
  if (schema.type === 'array') return `<p class="shape">A list of:</p>${fields(element, schemas)}`
  const union = list(schema.oneOf)
  const target = resolved(schema, schemas)
  if (union.length > 0 || list(target.oneOf).length > 0) {
    return list(target.oneOf)
      .map((each) => `<details><summary>${text(nameOf(each))}</summary>${fields(each, schemas)}</details>`)
      .join('')
  }
  const required = new Set(Array.isArray(target.required) ? target.required : [])
  const rows = Object.entries(record(target.properties)).map(([name, property]) => {
    const inner = innerObject(record(property), schemas)
    const more = inner ? `<details><summary>Fields</summary>${fields(inner, schemas)}</details>` : ''
    return row(text(name), record(property), isRequest && required.has(name), '', more)
  })
  return rows.length > 0 ? table(rows) : ''
}

function innerObject(property: Json, schemas: Json): Json | null {
  const candidates = [property, record(property.items), ...list(property.anyOf)].map((each) =>
    resolved(each, schemas),
  )
  return candidates.find((each) => Object.keys(record(each.properties)).length > 0) ?? null
}

function table(rows: readonly string[]): string {
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function row(name: string, schema: Json, required: boolean, place: string, more = ''): string {
  const notes = [place, required ? 'required' : ''].filter((note) => note !== '')
  const mark = notes.length > 0 ? `<small>${notes.join(', ')}</small>` : ''
  return `<tr><th scope="row"><code>${name}</code>${mark}</th><td>${typeOf(schema)}</td><td>${prose(schema.description)}${more}</td></tr>`
}

function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return text(nameOf(schema))
  const options = list(schema.anyOf)
  if (options.length > 0) return options.map(typeOf).join(' or ') + defaultOf(schema)
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`
  if (Array.isArray(schema.enum)) {
    return `${schema.enum.map((each) => `<code>${text(each ?? 'null')}</code>`).join(' ')}${defaultOf(schema)}`
  }
  if (schema.type === 'array') return `list of ${typeOf(record(schema.items))}`
  const bounds = [schema.minimum, schema.maximum].filter((bound) => Math.abs(Number(bound)) < 1e9)
  const range = bounds.length === 2 ? ` ${text(bounds[0])} to ${text(bounds[1])}` : ''
  const length = Number(schema.maxLength) > 0 ? `, at most ${text(schema.maxLength)} characters` : ''
  const format = schema.format === 'date-time' ? ' (RFC 3339)' : ''
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return `${text(type)}${range}${length}${format}${defaultOf(schema)}`
}

function defaultOf(schema: Json): string {
  return schema.default === undefined ? '' : `, default <code>${text(schema.default)}</code>`
}

function resolved(schema: Json, schemas: Json): Json {
  return schema.$ref === undefined ? schema : record(schemas[nameOf(schema)])
}

function nameOf(schema: Json): string {
  return String(schema.$ref ?? '').replace('#/components/schemas/', '')
}

function badge(method: string): string {
  return `<b class="method ${text(method)}">${text(method.toUpperCase())}</b>`
}

/** Paragraphs, with `code` in backquotes: the only markup of the descriptions. */
function prose(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${text(paragraph).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('')
}

function text(value: unknown): string {
  return String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The value below these keys; undefined without one of them. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => record(inner)[key], value)
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : []
}
