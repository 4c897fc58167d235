import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, configOf } from './config.ts'
import { readTexts } from './env.ts'
import { SETTINGS } from './settings.ts'
import { settingsPage, shownSettings } from './show.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-config-'))
after(() => rmSync(folder, { recursive: true }))

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    configOf(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.errors
  }
}

function fileWith(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('without settings the defaults apply', () => {
  const config = configOf({ PATH: '/bin' })
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.equal(config.databaseUrl, 'sqlite:data/radar.db')
  assert.deepEqual([...config.roles], ['api', 'poll', 'enrich', 'fanout', 'send'])
  assert.equal(config.stores.reviewsPollIntervalMs, null)
  assert.deepEqual(config.stores.requestsPerMinute, { apple: 20, google: 30 })
  const hour = 3_600_000
  assert.deepEqual(config.delivery.retryWaitsMs, [
    5_000,
    300_000,
    1_800_000,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ])
  assert.equal(config.delivery.timeoutMs, 15_000)
  assert.deepEqual(config.automationPlatforms, ['zapier', 'make', 'n8n'])
  assert.equal(config.enrichment.kind, 'offline')
  assert.equal(config.retentionMs, 90 * 24 * hour)
})

test('durations are read in every unit', () => {
  for (const [text, ms] of [
    ['500ms', 500],
    ['30s', 30_000],
    ['15m', 900_000],
    ['6h', 21_600_000],
  ] as const) {
    assert.equal(configOf({ RADAR_REVIEWS_POLL_INTERVAL: text }).stores.reviewsPollIntervalMs, ms)
  }
})

test('all errors are listed at once, each with the setting and the allowed values', () => {
  const errors = errorsOf({
    RADAR_PORT: 'http',
    RADAR_RETRY_WAITS: '5s,soon',
    RADAR_ROLES: 'api,mail',
    RADAR_ALLOW_TARGET_CIDRS: '10.0.0.0/99',
    RADAR_PUBLIC_URL: 'radar.example',
    RADAR_PROT: '80',
  })
  assert.equal(errors.length, 6)
  assert.ok(errors.includes('RADAR_PORT must be a whole number from 0 to 65535, not "http".'))
  assert.ok(errors.some((each) => each.startsWith('RADAR_RETRY_WAITS must be 1 to 20 durations')))
  assert.ok(errors.includes('RADAR_PROT (from the environment) is not a setting. Did you mean RADAR_PORT?'))
})

test('the URL of a proxy must have credentials that can be decoded', () => {
  assert.deepEqual(errorsOf({ RADAR_OUTBOUND_PROXY: 'http://user:p%40ss@proxy.example.com:3128' }), [])
  assert.match(
    errorsOf({ RADAR_OUTBOUND_PROXY: 'http://user:100%@proxy.example.com:3128' }).join(),
    /^RADAR_OUTBOUND_PROXY must be an http URL/,
  )
})

test('a password in a URL whose special characters are not percent-encoded is refused with the way to write it', () => {
  const key = { RADAR_SECRET_KEY: Buffer.alloc(32).toString('base64') }
  const smtp = { RADAR_SMTP_FROM: 'alerts@example.com' }
  for (const password of ['a#b', '1#b', 'a/b', '1/b', 'a?b', '1?b']) {
    const environments: Record<string, string>[] = [
      { ...key, RADAR_DATABASE_URL: `postgres://radar:${password}@db/radar` },
      { ...smtp, RADAR_SMTP_URL: `smtp://radar:${password}@mail.example.com:587` },
      { RADAR_OUTBOUND_PROXY: `http://radar:${password}@proxy.example.com:3128` },
    ]
    for (const environment of environments)
      assert.match(errorsOf(environment).join(' '), /percent-encoded, such as %23 for #/, password)
  }
  configOf({
    ...key,
    RADAR_DATABASE_URL: 'postgres://radar:a%23b%2Fc@db/radar?options=-csearch_path%3Dradar',
  })
  configOf({ ...key, RADAR_DATABASE_URL: 'postgresql://%2Fvar%2Frun%2Fpostgresql/radar' })
  configOf({ ...smtp, RADAR_SMTP_URL: 'smtp://radar@example.com:a@b@mail.example.com:587' })
})

test('an IPv6 address to listen on may have the brackets that it has in a URL', () => {
  assert.deepEqual(
    ['[::]', '::', '[fe80::1%eth0]', '0.0.0.0', 'radar.internal'].map(
      (host) => configOf({ RADAR_HOST: host }).host,
    ),
    ['::', '::', 'fe80::1%eth0', '0.0.0.0', 'radar.internal'],
  )
})

test('the public URL may have a path, but none that begins like one of the service', () => {
  assert.equal(
    configOf({ RADAR_PUBLIC_URL: 'https://example.com/tools/radar/' }).publicUrl,
    'https://example.com/tools/radar',
  )
  for (const path of ['api', 'apps/radar', 'docs', 'a b', 'a&b', '/radar', 'a//b'])
    assert.match(
      errorsOf({ RADAR_PUBLIC_URL: `https://example.com/${path}` }).join(),
      /^RADAR_PUBLIC_URL must be an http or https URL such as https:\/\/example.com\/radar, whose path /,
    )
})

test('every setting rejects invalid values, except those that accept any text', () => {
  const anyText = [
    'RADAR_HOST',
    'RADAR_DATA_DIR',
    'RADAR_LLM_MODEL',
    'RADAR_LLM_API_KEY',
    'RADAR_OIDC_CLIENT_ID',
    'RADAR_OIDC_CLIENT_SECRET',
    'RADAR_OIDC_NAME',
  ]
  for (const name of Object.keys(SETTINGS)) {
    const refused = errorsOf({ [name]: '§ no such value' }).length > 0
    assert.equal(refused, !anyText.includes(name), name)
  }
})

test('an error never contains a secret', () => {
  const [message = ''] = errorsOf({ RADAR_SECRET_KEY: 'hunter2' })
  assert.match(message, /^RADAR_SECRET_KEY must be 32 random bytes/)
  assert.ok(!message.includes('hunter2'))
})

test('a secret may come from the file that its _FILE name points to', () => {
  const key = Buffer.alloc(32, 3)
  const path = fileWith('key', `${key.toString('base64')}\n`)
  assert.deepEqual(configOf({ RADAR_SECRET_KEY_FILE: path }).secretKey, key)
  assert.match(errorsOf({ RADAR_SECRET_KEY_FILE: '/nowhere/key' })[0] ?? '', /cannot be read/)
  assert.match(errorsOf({ RADAR_PORT_FILE: path })[0] ?? '', /is not a setting/)
})

test('a secret given both directly and by a file is rejected', () => {
  const key = Buffer.alloc(32, 4).toString('hex')
  const path = fileWith('key-too', key)
  const both = 'RADAR_SECRET_KEY and RADAR_SECRET_KEY_FILE are both set'
  const refusal = [`${both} (in the environment); keep one and remove the other.`]
  assert.deepEqual(errorsOf({ RADAR_SECRET_KEY_FILE: path, RADAR_SECRET_KEY: key }), refusal)
  assert.deepEqual(errorsOf({ RADAR_SECRET_KEY: key, RADAR_SECRET_KEY_FILE: path }), refusal)
  const lines = [`RADAR_SECRET_KEY=${key}`, `RADAR_SECRET_KEY_FILE=${path}`]
  for (const [first, second] of [lines, lines.toReversed()]) {
    const twice = fileWith('twice.conf', `${first}\n${second}\n`)
    const [message = ''] = errorsOf({ RADAR_CONFIG: twice })
    assert.ok(message.startsWith(`${both} (in ${twice} line `), message)
  }
  assert.deepEqual(errorsOf({ RADAR_SECRET_KEY: key, RADAR_SECRET_KEY_FILE: '' }), [])
})

test('a settings file sets values, and the environment overrides them', () => {
  const path = fileWith(
    'radar.conf',
    '# radar\n\nRADAR_PORT=9000\nexport RADAR_HOST="0.0.0.0"\nRADAR_SIGNUP = open\n',
  )
  const config = configOf({ RADAR_CONFIG: path, RADAR_PORT: '9001' })
  assert.deepEqual([config.host, config.port, config.signup], ['0.0.0.0', 9001, 'open'])
})

test('a secret or its file in the environment overrides the settings file', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const keyFile = fileWith('key2', other.toString('hex'))
  const withKey = fileWith('with-key.conf', `RADAR_SECRET_KEY=${one.toString('hex')}\n`)
  assert.deepEqual(configOf({ RADAR_CONFIG: withKey, RADAR_SECRET_KEY_FILE: keyFile }).secretKey, other)
  const withFile = fileWith('with-file.conf', `RADAR_SECRET_KEY_FILE=${keyFile}\n`)
  assert.deepEqual(configOf({ RADAR_CONFIG: withFile, RADAR_SECRET_KEY: one.toString('hex') }).secretKey, one)
})

test('an error in the file names the file and the line', () => {
  const path = fileWith('bad.conf', 'RADAR_PORT=9000\nwhat\nRADAR_HOSTS=x\nRADAR_SIGNUP=maybe\n')
  const errors = errorsOf({ RADAR_CONFIG: path })
  assert.equal(errors.length, 3)
  assert.ok(errors.some((each) => each.startsWith(`${path} line 2 is not NAME=value`)))
  assert.ok(errors.some((each) => each.includes(`RADAR_HOSTS (from ${path} line 3)`)))
  assert.ok(errors.some((each) => each.includes(`(in ${path} line 4)`)))
  assert.match(
    errorsOf({ RADAR_CONFIG: '/nowhere' })[0] ?? '',
    /RADAR_CONFIG is \/nowhere, which cannot be read/,
  )
})

test('blanks and a pair of quotes around a value of the environment do not belong to it', () => {
  const config = configOf({
    RADAR_CONFIG: `"${fileWith('quoted.env', "RADAR_ROLES='api,send'\r\n")}"`,
    RADAR_PORT: '"9100"',
    RADAR_SMTP_URL: 'smtp://alerts:secret@mail.example.com:587\n',
    RADAR_SMTP_FROM: "'Review Radar <alerts@example.com>'\r",
    RADAR_OIDC_ISSUER: ' https://login.example.com',
    RADAR_OIDC_CLIENT_ID: 'radar\n',
    RADAR_OIDC_CLIENT_SECRET: ' "a b"c\n',
    RADAR_DATA_DIR: '""',
    RADAR_LOG_LEVEL: ' \n',
  })
  assert.deepEqual([...config.roles], ['api', 'send'])
  assert.equal(config.port, 9100)
  assert.equal(config.smtp.url, 'smtp://alerts:secret@mail.example.com:587')
  assert.equal(config.smtp.from, 'Review Radar <alerts@example.com>')
  assert.deepEqual(
    [config.oidc.clientId, config.oidc.clientSecret, config.oidc.issuer],
    ['radar', '"a b"c', 'https://login.example.com'],
  )
  assert.equal(config.dataDir, './data')
  assert.equal(config.logLevel, 'info')
})

test('an empty value counts as not set', () => {
  assert.equal(configOf({ RADAR_PORT: '' }).port, 8080)
})

test('variables that Kubernetes sets for services named radar and radar-… are ignored and named', () => {
  const injected = ['RADAR', 'RADAR_WEB', 'RADAR_POSTGRES'].flatMap((service) => [
    [`${service}_SERVICE_HOST`, '10.0.0.1'],
    [`${service}_SERVICE_PORT`, '80'],
    [`${service}_SERVICE_PORT_HTTP`, '80'],
    [`${service}_PORT`, 'tcp://10.0.0.1:80'],
    [`${service}_PORT_80_TCP`, 'tcp://10.0.0.1:80'],
    [`${service}_PORT_80_TCP_PROTO`, 'tcp'],
    [`${service}_PORT_80_TCP_PORT`, '80'],
    [`${service}_PORT_80_TCP_ADDR`, '10.0.0.1'],
    [`${service}_PORT_53_UDP`, 'udp://[fd00::1]:53'],
  ])
  const config = configOf(Object.fromEntries(injected))
  assert.equal(config.port, 8080)
  assert.deepEqual(
    config.injected,
    injected.map(([name]) => name),
  )
  assert.deepEqual(configOf({ RADAR_PORT: '9000' }).injected, [])
})

test('the configuration rejects names that only resemble variables of Kubernetes', () => {
  for (const name of ['RADAR_SMTP_PORT', 'RADAR_SERVICE_URL', 'RADAR_PORTS'])
    assert.match(errorsOf({ [name]: '587' }).join(), /is not a setting/, name)
  assert.match(errorsOf({ RADAR_PORT: '10.0.0.1:80' }).join(), /RADAR_PORT must be a whole number/)
  assert.match(
    errorsOf({ RADAR_CONFIG: fileWith('injected.env', 'RADAR_PORT=tcp://10.0.0.1:80') }).join(),
    /RADAR_PORT must be/,
    'a file has no injected variables',
  )
})

test('PostgreSQL requires the key, and a model its URL and name', () => {
  assert.match(
    errorsOf({ RADAR_DATABASE_URL: 'postgres://radar@db/radar' })[0] ?? '',
    /^RADAR_SECRET_KEY is required/,
  )
  assert.equal(errorsOf({ RADAR_ENRICHMENT: 'llm' }).length, 2)
})

test('displayed settings mask every secret and name the origin of each value', () => {
  const shown = shownSettings(
    readTexts({
      RADAR_LLM_API_KEY: 'sk-verysecret',
      RADAR_DATABASE_URL: 'postgres://radar:hunter2@db/radar',
      RADAR_PORT: '9000',
    }),
  )
  assert.ok(!shown.includes('verysecret') && !shown.includes('hunter2'))
  assert.match(shown, /RADAR_PORT +9000 {2}# the environment/)
  assert.match(shown, /RADAR_DATABASE_URL +postgres:\/\/radar:\*\*\*\*@db\/radar/)
  for (const name of Object.keys(SETTINGS)) assert.ok(shown.includes(name))
})

test('docs/reference/settings.md is generated from the table of settings', () => {
  const page = readFileSync(new URL('../../../docs/reference/settings.md', import.meta.url), 'utf8')
  assert.equal(page, settingsPage(), 'run `bin/radar config --markdown > docs/reference/settings.md`')
})

test('settings that exclude each other are reported along with all other errors', () => {
  assert.throws(
    () => configOf({ RADAR_PORT: 'x', RADAR_ENRICHMENT: 'llm', RADAR_LLM_URL: 'nonsense' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(
        error.errors.map((message) => message.split(' ').slice(0, 3).join(' ')),
        ['RADAR_PORT must be', 'RADAR_LLM_URL must be', 'RADAR_LLM_MODEL is required'],
      )
      return true
    },
  )
})

test('a file of formats with a wrong field is refused with the name of the field', () => {
  const file = join(folder, 'formats.json')
  for (const [text, problem] of [
    ['{"apple":{"row_sorts":[7,"4"]}}', ' with a valid "apple.row_sorts.1"'],
    ['{"google":{"rows":[]}}', ' without "google.rows"'],
    ['{', ''],
  ] as const) {
    writeFileSync(file, text)
    assert.deepEqual(errorsOf({ RADAR_STORE_FORMATS_FILE: file }), [
      `RADAR_STORE_FORMATS_FILE must be a JSON file of formats (docs/stores.md, Added formats)${problem}, not ${JSON.stringify(file)}.`,
    ])
  }
})
