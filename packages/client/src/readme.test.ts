import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createClient } from './client.ts'

test('the README lists exactly the methods of the client', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Operations\n([\s\S]*?)^## /m.exec(page) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| | |'))
  const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const client = createClient({ baseUrl: 'http://127.0.0.1', token: 'rsk_unused' })
  assert.deepEqual(listed.sort(), Object.keys(client).sort())
})
