import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { HOSTILE_TEXTS } from '../../../../test/support/chat/hostile-texts.ts'
import { httpProblemOf } from '../../../../test/support/chat/http-rules.ts'
import { contextWith, reviewWith } from '../../../../test/support/chat/message-events.ts'
import { http } from './http.ts'

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS, 'a&admin=1', '"},{"a":"', 'x"; admin="1', '\\', 'ä\r\nx: y', ']]><b>'),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)

/** The request of a review with the text as title and author. */
function filled(settings: object, text: string) {
  const given = http.settings.parse({ url: 'https://e.example/', ...settings })
  const message = http.message(reviewWith({ title: text, author: text }), given, contextWith())
  assert.ok(message.kind === 'http')
  assert.equal(httpProblemOf(message), null)
  return message
}

const withBody = (type: string, body: string) => ({ headers: { 'content-type': type }, body })

/** The elements and attribute names of a document. Throws when it is not well-formed. */
function structureOf(xml: string): string[] {
  const names: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => names.push(name, ...Object.keys(attributes)))
  parser.write(xml).close()
  return names
}

/** What XML 1.0 cannot have in any form is the author's problem: the text has no markup. */
const NO_XML = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

test('values change the structure of no format, as text or as JSON', () => {
  const json = '{"a": "{{event.title}} {{json event.title}}", "b": {{event.title}}, "c": {{json event}}}'
  const form = 'a={{event.title}}&b={{json event.title}}&c={{json event}}'
  const xml = '<a b="{{event.title}}" c=\'{{json event.title}}\'>{{json event.title}}<d>{{title}}</d></a>'
  fc.assert(
    fc.property(hostileText, (text) => {
      const { body } = filled(withBody('application/json', json), text)
      const parsed = JSON.parse(body ?? '')
      assert.deepEqual(Object.keys(parsed), ['a', 'b', 'c'])
      assert.equal(parsed.b, text)
      assert.equal(parsed.c.title, text)
      const fields = new URLSearchParams(
        filled(withBody('application/x-www-form-urlencoded', form), text).body ?? '',
      )
      assert.deepEqual([...fields.keys()], ['a', 'b', 'c'])
      assert.equal(JSON.parse(fields.get('c') ?? '').title, text)
      if (NO_XML.test(text)) return
      const document = filled(withBody('application/xml', xml), text).body ?? ''
      assert.deepEqual(structureOf(document), ['a', 'b', 'c', 'd'])
    }),
  )
})

test('values of headers and URLs can always be sent, as text or as JSON', () => {
  const settings = {
    method: 'GET',
    url: 'https://e.example/{{json event.title}}?a={{json event.title}}&b={{json event}}',
    headers: {
      'x-json': '{{json event.title}}',
      'x-file': 'a; name="{{event.title}}"; b=c',
      'x-all': '{{json event}}',
    },
  }
  fc.assert(
    fc.property(hostileText, (text) => {
      const { url, headers } = filled(settings, text)
      assert.deepEqual([...new URL(url).searchParams.keys()], ['a', 'b'])
      assert.match(headers['x-file'] ?? '', /^a; name="(?:[^"\\]|\\.)*"; b=c$/)
      const sent = JSON.parse(headers['x-json'] ?? '')
      assert.ok(sent === text || (sent === null && JSON.stringify(text).length > 500), `${sent}`.slice(0, 99))
      for (const value of Object.values(headers)) assert.match(value, /^[\x20-\x7E]*$/)
    }),
  )
})

const problemOf = (settings: object) =>
  http.settings
    .safeParse({ url: 'https://e.example/', ...settings })
    .error?.issues.map(({ message }) => message)
    .join('\n') ?? ''

test('a quoted attribute is a clear place after letters whose lower case is longer', () => {
  assert.equal(problemOf(withBody('text/html', '<b t="İ" u="{{title}}">x</b>')), '')
})

test('a template with a value at an unclear place is refused when it is saved', () => {
  for (const body of [
    '<script>a("{{title}}")</script>',
    '<a href={{title}}>',
    '<{{title}}>',
    '<!-- {{title}} -->',
    '<a {{#if title}}b="{{else}}c=\'{{/if}}{{title}}">',
  ])
    assert.match(problemOf(withBody('text/html', body)), /^body has .*line 1/, body)
  assert.match(problemOf(withBody('application/json', '["a\\{{title}}"]')), /^body has a value after/)
  assert.match(problemOf(withBody('application/json', '["a{{#if title}}"]{{else}}"]{{/if}}')), /^$/)
  assert.match(
    problemOf(withBody('application/json', '["a{{#if title}}", "{{else}}", {{/if}}{{title}}]')),
    /^body/,
  )
  assert.match(problemOf(withBody('multipart/form-data; boundary=x', '{{title}}')), /^body .*content-type/)
  assert.equal(problemOf(withBody('multipart/form-data; boundary=x', 'fixed')), '')
  assert.match(problemOf({ headers: { 'x-a': '"\\{{title}}"' } }), /^headers has a value after/)
  assert.match(problemOf(withBody('{{title}}', 'x')), /^headers\.content-type must be fixed/)
})
