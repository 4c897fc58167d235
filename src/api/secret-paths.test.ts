import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import Fastify from 'fastify'
import { MAIL_LINK_PATH } from '../model/mail-link.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { failureHandler } from './guard-paths.ts'
import { maskedPath } from './secret-paths.ts'

const SECRET = 'x3uPq-secret_of-a-link'

test('the log of a failure masks the secrets of paths', async () => {
  const lines: string[] = []
  const note = (event: string, fields?: object) => void lines.push(JSON.stringify({ event, ...fields }))
  const log: Log = { ...silentLog, error: note, debug: note }
  const server = Fastify()
  server.setErrorHandler(failureHandler(log))
  server.get('/*', async () => {
    throw new Error('a bug')
  })
  const paths = ['/atom', '/unsubscribe', '/accept', '/reset-password', '/Accept', '//accept', '/%61ccept']
  for (const path of paths) await server.inject(`${path}/${SECRET}`)
  await server.inject('/api/v1/hooks/hook_1')
  assert.equal(lines.length, paths.length + 1)
  assert.ok(!lines.join('\n').includes(SECRET), lines.join('\n'))
  assert.match(lines[0] ?? '', /"path":"\/atom\/\(masked\)"/)
  assert.match(lines.at(-1) ?? '', /"path":"\/api\/v1\/hooks\/hook_1"/)
})

test('every path parameter that is a token is masked in logs', () => {
  const sources = [...globSync('src/api/**/*.ts'), 'console/routes.tsx'].filter(
    (file) => !file.includes('.test.'),
  )
  const found = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['`}]([\w/${}-]*)\/[:$](?:\w*token|secret|key)['`]/gi)].map(
      ([, path = '']) => path.replace(/\$\{MAIL_LINK_PATH\}/, MAIL_LINK_PATH),
    ),
  )
  assert.ok(found.length >= 4, found.join())
  for (const path of found) assert.equal(maskedPath(`${path}/${SECRET}`), `${path}/(masked)`)
})
