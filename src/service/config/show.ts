import type { Texts } from './env.ts'
import { LISTEN_SETTINGS } from './listen-settings.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

const rows = Object.entries(SETTINGS) as [string, Setting][]

/** `docs/reference/settings.md`, generated from the table of settings; a test fails when the file is stale. */
export function settingsPage(): string {
  return `# Settings

Generated from \`src/service/config/settings.ts\` by \`radar config --markdown\`; do not edit.

Settings are environment variables, or lines of \`NAME=value\` in the file whose path is in \`RADAR_CONFIG\`. The environment
takes precedence. Durations have a unit: \`500ms\`, \`30s\`, \`15m\`, \`6h\` or \`90d\`. An empty value counts as not set, and blanks and a pair of quotes around a value are removed. The
service does not start with an invalid value or an unknown name, and reports all errors at once. A secret may be set as
\`NAME\` or in a file whose path is in \`NAME_FILE\`, but not both. \`radar config\` shows the effective settings.

\`/healthz\`, \`/readyz\` and \`/metrics\` require no token: do not expose them on a public address.

${tableOf(rows)}

## Settings of commands that call the service

For \`radar listen\`, \`radar events\`, \`radar reviews\`, \`radar apply\` and \`radar mcp\`. The service and the other commands ignore these.

${tableOf(Object.entries(LISTEN_SETTINGS))}
`
}

function tableOf(settings: readonly (readonly [string, Setting])[]): string {
  const lines = settings.map(
    ([name, each]) =>
      `| \`${name}\` | ${defaultOf(each)} | ${cell(each.doc)}${each.secret ? ` Also as a file: \`${name}_FILE\`.` : ''} |`,
  )
  return ['| name | default | meaning |', '| --- | --- | --- |', ...lines].join('\n')
}

export type ShownSetting = {
  readonly name: string
  /** The effective value; masked for a secret. */
  readonly value: string
  /** The source of the value; null for the default. */
  readonly origin: string | null
  readonly about: string
}

/** Every setting, secrets masked. */
export function settingsOf(texts: Texts['texts']): ShownSetting[] {
  return rows.map(([name, each]) => {
    const given = texts.get(name)
    const fallback = each.default ?? `(${each.derived ?? 'not set'})`
    const value = given === undefined ? fallback : each.secret ? masked(given.text) : given.text
    return { name, value: value === '' ? '(none)' : value, origin: given?.origin ?? null, about: each.doc }
  })
}

/** One line per setting, with the source of its value. */
export function shownSettings({ texts }: Texts): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return settingsOf(texts)
    .map(({ name, value, origin }) => `${name.padEnd(width)}  ${value}  # ${origin ?? 'default'}\n`)
    .join('')
}

/** Masks the password of a URL, and any other value completely. */
function masked(text: string): string {
  const url = /^\w+:\/\//.test(text) ? URL.parse(text) : null
  if (url !== null) {
    if (url.password !== '') url.password = '****'
    url.search = ''
    return url.href
  }
  return text.startsWith('sqlite:') ? text : '****'
}

function defaultOf(each: Setting): string {
  if (each.default === null) return cell(each.derived ?? 'none')
  return each.default === '' ? 'none' : `\`${each.default}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
