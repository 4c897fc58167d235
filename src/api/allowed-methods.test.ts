import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedMethods } from './allowed-methods.ts'

const routes = [
  { method: 'GET', pattern: '/api/v1/hooks' },
  { method: 'POST', pattern: '/api/v1/hooks' },
  { method: 'DELETE', pattern: '/api/v1/hooks/:id' },
  { method: 'GET', pattern: '/api/v1/hooks/count' },
  { method: 'GET', pattern: '/*' },
]

test('each method of a path is listed once', () => {
  assert.deepEqual(allowedMethods(routes, '/api/v1/hooks'), ['GET', 'POST', 'OPTIONS'])
  assert.deepEqual(allowedMethods(routes, '/api/v1/hooks/api-1'), ['DELETE', 'OPTIONS'])
})

test('a fixed path does not inherit the methods of a path with a parameter in its place', () => {
  assert.deepEqual(allowedMethods(routes, '/api/v1/hooks/count'), ['GET', 'OPTIONS'])
})

test('wildcard routes do not count as allowed methods', () => {
  for (const path of ['/', '/nothing', '/api/v1/hooks/', '/api/v1/hooks/a/b', '/api/v1']) {
    assert.deepEqual(allowedMethods(routes, path), [], path)
  }
})
