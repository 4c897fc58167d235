import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from './command.ts'
import { instantOption } from './instant.ts'

const NOW = new Date('2026-03-10T12:00:00Z')

function read(text: string | undefined): string | undefined {
  const args = { option: () => text, isOn: () => false, positionals: [] }
  return instantOption(args, 'since', NOW)?.toISOString()
}

test('an instant is a day, a time with an offset, or a duration before now', () => {
  assert.equal(read('2026-01-31'), '2026-01-31T00:00:00.000Z')
  assert.equal(read('2024-02-29'), '2024-02-29T00:00:00.000Z')
  assert.equal(read('2026-01-31T12:00:00Z'), '2026-01-31T12:00:00.000Z')
  assert.equal(read('2026-01-31T12:00+02:00'), '2026-01-31T10:00:00.000Z')
  assert.equal(read('9d'), '2026-03-01T12:00:00.000Z')
  assert.equal(read('90m'), '2026-03-10T10:30:00.000Z')
  assert.equal(read(undefined), undefined)
})

test('any other text is a usage error', () => {
  for (const text of [
    '',
    'yesterday',
    '2026',
    '2026-02-30',
    '2026-13-01',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:00:00',
    '31.01.2026',
    '0d',
    '-1d',
    '99999d',
  ]) {
    assert.throws(
      () => read(text),
      (error) => error instanceof UsageError && /^--since must be a time such as/.test(error.message),
      text,
    )
  }
})
