import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TAGS } from '../../src/contract/route.ts'
import { EXPECTED, serveClients } from './served.ts'
import {
  dotnetCompiler,
  goTools,
  npmTools,
  openapiGenerator,
  pythonLibraries,
  type RunResult,
  run,
} from './tools.ts'

/** Clients of generators for several languages compile, call the service, and accept fields that a later version adds. */

const served = await serveClients()
after(() => served[Symbol.asyncDispose]())
const [npm, jar, go, python, dotnet] = await Promise.all([
  npmTools(),
  openapiGenerator(),
  goTools(),
  pythonLibraries(),
  dotnetCompiler(),
])

const path = (...names: string[]) => join(served.folder, ...names)
const program = (name: string) => join(import.meta.dirname, 'programs', name)
const settings = { RADAR_URL: served.url, RADAR_TOKEN: served.token, RADAR_APP_ID: served.appId }
const without = (...needed: readonly object[]) => {
  const reasons = needed.flatMap((each) => ('missing' in each ? [String(each.missing)] : []))
  return { skip: reasons.length > 0 && reasons.join(', ') }
}

function assertSuccess({ status, output }: RunResult, what: string): string {
  assert.equal(status, 0, `${what}:\n${output}`)
  return output
}

/** Runs a program that prints one line of JSON. */
async function assertCalls(file: string, args: readonly string[]): Promise<void> {
  const output = assertSuccess(await run(file, args, served.folder, settings), file)
  assert.deepEqual(JSON.parse(output.trim().split('\n').at(-1) ?? ''), EXPECTED)
}

/** Makes a client of openapi-generator in the folder `into`. */
async function generate(generator: string, into: string, ...options: readonly string[]): Promise<void> {
  assert.ok('folder' in jar)
  const words = ['generate', '-i', path('openapi.json'), '-g', generator, '-o', path(into), ...options]
  assertSuccess(
    await run('java', ['-jar', join(jar.folder, 'openapi-generator-cli.jar'), ...words]),
    generator,
  )
}

test('a Java client of openapi-generator compiles and calls the service', without(jar), async () => {
  await generate('java', 'java', '--global-property', 'apiTests=false,modelTests=false')
  copyFileSync(program('Main.java'), path('java', 'src', 'main', 'java', 'Main.java'))
  const words = ['-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt']
  assertSuccess(await run('mvn', words, path('java')), 'mvn')
  await assertCalls('sh', ['-c', 'exec java -cp "java/target/classes:$(cat java/classpath.txt)" Main'])
})

test('a Kotlin client of openapi-generator compiles and calls the service', without(jar), async () => {
  // Its types of events have no common one, so that a list of events is a list of maps.
  const events = ['--schema-mappings', 'WebhookEvent=kotlin.Any']
  await generate('kotlin', 'kotlin', ...events, '--global-property', 'apiTests=false,modelTests=false')
  copyFileSync(program('Main.kt'), path('kotlin', 'src', 'main', 'kotlin', 'Main.kt'))
  // Gradle builds it otherwise, which would have to be installed.
  copyFileSync(program('kotlin-pom.xml'), path('kotlin', 'pom.xml'))
  const words = ['-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt']
  assertSuccess(await run('mvn', words, path('kotlin')), 'mvn')
  await assertCalls('sh', ['-c', 'exec java -cp "kotlin/target/classes:$(cat kotlin/classpath.txt)" MainKt'])
})

test('a C# client of openapi-generator compiles', without(jar, dotnet), async () => {
  await generate('csharp', 'csharp', '--global-property', 'apiTests=false,modelTests=false')
  const project = path('csharp', 'src', 'Org.OpenAPITools', 'Org.OpenAPITools.csproj')
  assertSuccess(await run('dotnet', ['build', '--nologo', project], path('csharp')), 'dotnet')
})

test('a Python client of openapi-generator calls the service', without(jar, python), async () => {
  assert.ok('folder' in python)
  await generate('python', 'python')
  copyFileSync(program('openapi_generator.py'), path('python', 'call.py'))
  await assertCalls(join(python.folder, 'bin', 'python'), [path('python', 'call.py')])
})

test(
  'Go clients of openapi-generator, oapi-codegen and ogen compile and call the service',
  without(jar, go),
  async () => {
    assert.ok('folder' in go)
    const module = ['module example.com/radar', 'go 1.24', 'require github.com/oapi-codegen/runtime v1.9.0']
    mkdirSync(path('go', 'oapi'), { recursive: true })
    writeFileSync(path('go', 'go.mod'), [...module, 'require github.com/ogen-go/ogen v1.25.0', ''].join('\n'))
    const tool = (name: string) => join(go.folder, name)
    const options = ['--package-name', 'openapi', '--additional-properties', 'withGoMod=false']
    await generate(
      'go',
      join('go', 'openapi'),
      ...options,
      '--global-property',
      'apiTests=false,modelTests=false',
    )
    const oapi = ['-generate', 'types,client', '-package', 'oapi', '-o', path('go', 'oapi', 'client.go')]
    assertSuccess(await run(tool('oapi-codegen'), [...oapi, path('openapi.json')]), 'oapi-codegen')
    const ogen = ['--target', path('go', 'ogen'), '--package', 'ogen', '--clean', path('openapi.json')]
    assertSuccess(await run(tool('ogen'), ogen), 'ogen')
    const names = ['openapi-generator', 'oapi-codegen', 'ogen']
    for (const name of names) {
      mkdirSync(path('go', 'cmd', name), { recursive: true })
      copyFileSync(program(`${name}.go`), path('go', 'cmd', name, 'main.go'))
    }
    assertSuccess(await run('go', ['mod', 'tidy'], path('go')), 'go mod tidy')
    assertSuccess(
      await run('go', ['build', '-o', path('go', 'bin', '/'), './cmd/...'], path('go')),
      'go build',
    )
    for (const name of names) await assertCalls(path('go', 'bin', name), [])
  },
)

const CALLS = `
console.log(JSON.stringify({
  hook: hook.secret.startsWith('whsec_'),
  reviews: page.data.length,
  event,
  status,
}))
`

/** Compiles a program with the client in the folder `name`, and runs it. */
async function assertTypeScriptCalls(name: string, source: string): Promise<void> {
  writeFileSync(path('package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(path(name, 'main.ts'), source + CALLS)
  writeFileSync(
    path(name, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2023',
        module: 'nodenext',
        types: [],
        lib: ['es2023', 'dom', 'dom.iterable'],
        outDir: 'out',
      },
    }),
  )
  const tsc = join(npm, 'node_modules', '.bin', 'tsc')
  assertSuccess(await run(tsc, ['-p', path(name)]), `${name} does not compile`)
  await assertCalls(process.execPath, [path(name, 'out', 'main.js')])
}

test('a TypeScript client of openapi-generator compiles and calls the service', without(jar), async () => {
  // Its code for webhooks does not compile, whatever they are.
  const apis = `apis=${Object.keys(TAGS).join(':')},models,supportingFiles`
  const options = ['--additional-properties', 'importFileExtension=.js', '--global-property', apis]
  await generate('typescript-fetch', 'fetch', ...options)
  await assertTypeScriptCalls(
    'fetch',
    `import { AccountApi, Configuration, EventsApi, HooksApi, ResponseError, ReviewsApi } from './index.js'

const as = (accessToken: string) => new Configuration({ basePath: '${served.url}', accessToken })
const me = as('${served.token}')
const hook = await new HooksApi(me).subscribe({
  subscribeBody: { targetUrl: 'https://example.com/radar', store: 'apple', appId: '310633997', eventType: 'review.created', maxStars: 3 },
})
const page = await new ReviewsApi(me).listReviews({ appId: '${served.appId}', limit: 10 })
const { data: [first] } = await new EventsApi(me).listEvents()
const event = first?.eventType
const status = await new AccountApi(as('no')).me().then(() => 200, (error: ResponseError) => error.response.status)
`,
  )
})

test('a client of orval compiles and calls the service', async () => {
  mkdirSync(path('orval'))
  symlinkSync(join(npm, 'node_modules'), path('orval', 'node_modules'))
  const config = {
    input: path('openapi.json'),
    output: { target: path('orval', 'client.ts'), client: 'fetch', baseUrl: served.url },
  }
  writeFileSync(path('orval', 'orval.config.mjs'), `export default ${JSON.stringify({ radar: config })}`)
  const words = ['--config', path('orval', 'orval.config.mjs')]
  assertSuccess(await run(join(npm, 'node_modules', '.bin', 'orval'), words, path('orval')), 'orval')
  await assertTypeScriptCalls(
    'orval',
    `import { listEvents, listReviews, me, subscribe } from './client.js'

const as = (token: string) => ({ headers: { authorization: 'Bearer ' + token } })
const mine = as('${served.token}')
const created = await subscribe(
  { target_url: 'https://example.com/radar', store: 'apple', app_id: '310633997', event_type: 'review.created', max_stars: 3 },
  mine,
)
const listed = await listReviews({ app_id: '${served.appId}', limit: 10 }, mine)
const events = await listEvents(undefined, mine)
if (created.status !== 200 || listed.status !== 200 || events.status !== 200) throw new Error('a call failed')
const [hook, page, event] = [created.data, listed.data, events.data.data[0]?.event_type]
const { status } = await me(as('no'))
`,
  )
})
