import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { pack } from '../support/packed.ts'
import { frameworks, type RunResult, run } from './tools.ts'

/** Tests the packages in user programs, with real frameworks, their types and another version of TypeScript. */

const ROOT = resolve(import.meta.dirname, '../..')
const tools = await frameworks()
const [receiver, client] = [pack('receiver'), pack('client')]
after(() => {
  receiver[Symbol.dispose]()
  client[Symbol.dispose]()
})
const { folder } = receiver

/** Links packages of `from` into the project: all, or those that `only` selects. */
function link(from: string, only: (name: string) => boolean = () => true): void {
  for (const name of packagesIn(join(from, 'node_modules')).filter(only)) {
    const target = join(folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(from, 'node_modules', name), target)
  }
}

function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
    )
}

link(tools)
link(client.folder)
link(ROOT, (name) => name === 'fastify')

writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: true,
      types: ['node'],
    },
    include: ['*.ts'],
  }),
)

function assertSuccess({ status, output }: RunResult, what: string): string {
  assert.equal(status, 0, `${what}:\n${output}`)
  return output
}

const compile = (what: string) =>
  run(process.execPath, [join(tools, 'node_modules/typescript/bin/tsc'), '-p', folder]).then((ran) =>
    assertSuccess(ran, what),
  )

test('the programs in the READMEs compile', async () => {
  const programs = ['receiver', 'client'].flatMap((name) => {
    const page = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')
    return [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ''], index) => ({
      file: `readme-${name}-${index}.ts`,
      code,
    }))
  })
  assert.ok(programs.length >= 8, `${programs.length} programs were found`)
  for (const { file, code } of programs) writeFileSync(join(folder, file), code)
  await compile('the READMEs')
})

const SETUP = `import type { HandlerOptions } from '@review-radar/receiver'
import { newSecret, sampleEvent, signedRequest } from '@review-radar/receiver/testing'

const secret = newSecret()
const events: string[] = []
const codes: string[] = []
const options: HandlerOptions = {
  secret,
  onEvent: (event) => events.push(event.event_type === 'review.created' ? (event.title ?? '') : 'other'),
  onError: (error) => codes.push(error instanceof Object && 'code' in error ? String(error.code) : 'other'),
}
const signed = (url: string, key = secret) => signedRequest(url, sampleEvent('review.created', { title: 'Größe 🎈' }), { secrets: [key] })
`
const print = 'console.log(JSON.stringify({ statuses, events, codes }))\n'

async function runProgram(name: string, code: string): Promise<unknown> {
  writeFileSync(join(folder, `${name}.ts`), `${SETUP}${code}${print}process.exit(0)\n`)
  await compile(name)
  const output = assertSuccess(await run(process.execPath, [join(folder, `${name}.ts`)], folder), name)
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}

test('Express: works before any parser and after express.raw, but not after express.json', async () => {
  const answer = await runProgram(
    'express',
    `import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expressHandler } from '@review-radar/receiver/express'

const app = express()
app.post('/radar', expressHandler(options))
app.post('/raw', express.raw({ type: 'application/json' }), expressHandler(options))
app.use(express.json())
app.post('/late', expressHandler(options))
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`
const statuses: number[] = []
for (const path of ['/radar', '/raw', '/late']) statuses.push((await fetch(await signed(url + path))).status)
statuses.push((await fetch(await signed(\`\${url}/radar\`, newSecret()))).status)
`,
  )
  assert.deepEqual(answer, {
    statuses: [204, 204, 500, 401],
    events: ['Größe 🎈', 'Größe 🎈'],
    codes: ['body_not_raw', 'signature_mismatch'],
  })
})

test('Hono: accepts a valid signature and rejects an invalid one', async () => {
  const answer = await runProgram(
    'hono',
    `import { Hono } from 'hono'
import { honoHandler } from '@review-radar/receiver/hono'

const app = new Hono()
app.post('/radar', honoHandler(options))
const statuses: number[] = []
for (const key of [secret, newSecret()]) statuses.push((await app.request(await signed('http://radar.test/radar', key))).status)
`,
  )
  assert.deepEqual(answer, { statuses: [204, 401], events: ['Größe 🎈'], codes: ['signature_mismatch'] })
})
