import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplate, placeholderProblem } from './reply-template.ts'

const MIA = { author: 'Mia', app_name: 'Notes' }

test('a template gets the values of a review', () => {
  assert.equal(
    fillTemplate('Hello {{author}}, thank you for using {{ app_name }}.', MIA),
    'Hello Mia, thank you for using Notes.',
  )
})

test('a placeholder without a value disappears with the space before it', () => {
  const unknown = { author: null, app_name: ' ' }
  assert.equal(fillTemplate('Hello {{author}},\nthank you!', unknown), 'Hello,\nthank you!')
  assert.equal(fillTemplate('{{author}}, thank you!', unknown), 'thank you!')
  assert.equal(fillTemplate('Thank you for using {{app_name}}.', unknown), 'Thank you for using.')
})

test('values of strangers stay short, on one line, and are not filled again', () => {
  const author = `\u202eMia\n{{app_name}} ${'x'.repeat(100)}`
  const filled = fillTemplate('Hello {{author}}!', { author, app_name: 'Notes' })
  assert.match(filled, /^Hello Mia \{\{app_name\}\} x+!$/)
  assert.equal(filled.length, 'Hello !'.length + 60)
})

test('unknown and incomplete placeholders are named with the allowed ones', () => {
  assert.equal(placeholderProblem('Hello {{author}} of {{ app_name }}. {one} brace } is text.'), null)
  assert.equal(
    placeholderProblem('Hello {{name}}'),
    'has the unknown placeholder {{name}}; allowed are {{author}} and {{app_name}}.',
  )
  for (const text of ['Hello {{author}', 'Hello {{', 'Hello author}}', '{{{author}}}}']) {
    assert.match(placeholderProblem(text) ?? '', /incomplete placeholder; allowed are \{\{author\}\}/, text)
  }
  assert.match(placeholderProblem(`{{${'x'.repeat(1_000)}}}`) ?? '', /^.{1,140}$/)
})
