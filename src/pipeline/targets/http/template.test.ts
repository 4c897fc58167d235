import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOSTILE_TEXTS } from '../../../../test/support/chat/hostile-texts.ts'
import { headerEscape, htmlEscape } from '../escapes.ts'
import { FORM, type Format, JSON_TEXT, PLAIN } from './places.ts'
import { parseTemplate, renderTemplate } from './template.ts'

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)

function render(source: string, data: unknown, format: Format = PLAIN): string {
  const parsed = parseTemplate(source)
  assert.ok(parsed.ok, source)
  return renderTemplate(parsed.template, data, format)
}

function problemOf(source: string): string | null {
  const parsed = parseTemplate(source)
  return parsed.ok ? null : parsed.problem
}

test('a template fills in values by their path', () => {
  const data = { a: 1, b: { c: 'two' }, list: ['x', 'y'], no: null, yes: true }
  assert.equal(render('{{a}} {{ b.c }} {{list}} {{no}}{{missing.x}}{{yes}}', data), '1 two x, y true')
  assert.equal(render('{{list.1}} {{b}}', data), 'y {"c":"two"}')
  assert.equal(render('{{json b}} {{json missing}} {{json list}}', data), '{"c":"two"} null ["x","y"]')
})

test('a template shows parts only where a value is given', () => {
  const source = '{{#if a}}A{{#if b}}B{{else}}-{{/if}}{{else}}none{{/if}}'
  assert.equal(render(source, { a: 1, b: 1 }), 'AB')
  assert.equal(render(source, { a: 1, b: [] }), 'A-')
  assert.equal(render(source, { a: '' }), 'none')
})

test('a template names what is wrong, with its line', () => {
  assert.equal(problemOf('{{#if a}}x'), 'has {{#if}} without {{/if}} (line 1)')
  assert.equal(problemOf('x\n{{/if}}'), 'has {{/if}} without {{#if}} (line 2)')
  assert.equal(problemOf('{{else}}'), 'has {{else}} without {{#if}} (line 1)')
  assert.equal(problemOf('{{#if a}}{{else}}{{else}}{{/if}}'), 'has {{else}} without {{#if}} (line 1)')
  assert.equal(problemOf('a\n\n{{b'), 'has {{ without }} (line 3)')
  for (const tag of [
    '{{a b}}',
    '{{}}',
    '{{a.b()}}',
    '{{{a}}}',
    '{{#each a}}',
    '{{json}}x{{a-b}}',
    '{{a..b}}',
  ])
    assert.match(problemOf(tag) ?? '', /^has \{\{.*\}\}, but allowed are \{\{name\}\}, \{\{json name\}\}/)
  assert.match(problemOf('{{#if a}}'.repeat(6)) ?? '', /^has more than 5 \{\{#if\}\} inside each other/)
})

test('a template reads only own values', () => {
  for (const path of [
    'constructor.name',
    '__proto__.x',
    'a.length',
    'a.constructor',
    'toString',
    'list.length',
  ])
    assert.equal(render(`{{${path}}}`, { a: 'text', list: [] }), path === 'list.length' ? '0' : '')
})

test('values are never read as templates', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(render('<{{a}}>', { a: text, b: 'secret' }), `<${text.toWellFormed()}>`)
    }),
  )
})

test('escapes are undone by the parser of their format', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const data = { text }
      assert.equal(JSON.parse(render('{"a":"{{text}}"}', data, JSON_TEXT)).a, text.toWellFormed())
      assert.deepEqual(JSON.parse(render('[{{json text}}]', data, JSON_TEXT)), [text])
      assert.equal(new URLSearchParams(render('a={{text}}', data, FORM)).get('a'), text.toWellFormed())
      assert.ok(!/[<>"']/.test(htmlEscape(text)))
      assert.match(headerEscape(text), /^[\x20-\x7E]*$/)
    }),
  )
})

test('the output of a template is limited without breaking it', () => {
  const text = '😀'.repeat(40_000)
  const output = render('["{{text}}","{{text}}",{{json text}}]', { text }, JSON_TEXT)
  const [first, second, third] = JSON.parse(output)
  assert.equal(first, text)
  assert.match(second, /^(?:😀)+…$/u)
  assert.ok(second.length > 19_900 && second.length <= 20_000)
  assert.equal(third, null)
})
