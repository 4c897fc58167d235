import { nearest } from '../../model/nearest.ts'
import { readText } from '../../runtime/read-text.ts'
import { LISTEN_SETTINGS } from './listen-settings.ts'
import { SETTINGS } from './settings.ts'

type Given = { readonly text: string; readonly origin: string }

/** Settings as texts, with their origins. */
export type Texts = {
  readonly texts: ReadonlyMap<string, Given>
  /** One sentence for each text that could not be read. */
  readonly errors: readonly string[]
  /** Names of variables that are ignored, because Kubernetes sets them. */
  readonly injected: readonly string[]
}

/** Names of settings are long. */
const LETTERS_WRONG_MAX = 4

type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'RADAR_'
const CONFIG_NAME = 'RADAR_CONFIG'
const FILE_SUFFIX = '_FILE'
/** Includes the settings of `radar listen`, because a shell may export both. */
const KNOWN = { ...SETTINGS, ...LISTEN_SETTINGS }
const SECRETS = Object.entries(KNOWN).flatMap(([name, { secret }]) => (secret ? [name] : []))
/** Kubernetes sets variables of these forms in every pod of a namespace with a service named `radar` or `radar-…`. */
const NAME_OF_KUBERNETES = /_SERVICE_HOST$|_SERVICE_PORT(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/
const ADDRESS_OF_KUBERNETES = /^(tcp|udp|sctp):\/\//

/** The environment of this process. No other code reads it. */
export function processEnvironment(): Environment {
  return process.env
}

/**
 * Collects the settings of the `RADAR_CONFIG` file (lines of `NAME=value`, `#` starts a comment) and of the environment, which overrides
 * the file. `<name>_FILE` may be the path of a file with the secret. An empty value counts as not set. Unknown names are errors, because
 * most are misspelt. It is also an error if one source sets a secret both directly and by file.
 */
export function readTexts(environment: Environment): Texts {
  const errors: string[] = []
  const inFile = new Map<string, Given>()
  const configFile = unquoted(environment[CONFIG_NAME] ?? '')
  if (configFile) {
    for (const { name, text, line } of readConfigFile(configFile, errors)) {
      if (text !== '') inFile.set(name, { text, origin: `${configFile} line ${line}` })
    }
  }
  const injected: string[] = []
  const inEnvironment = new Map<string, Given>()
  for (const [name, given = ''] of Object.entries(environment)) {
    const text = unquoted(given)
    if (!name.startsWith(PREFIX) || name === CONFIG_NAME || text === '') continue
    if (isInjected(name, text)) injected.push(name)
    else inEnvironment.set(name, { text, origin: 'the environment' })
  }
  errors.push(...givenTwice(inFile), ...givenTwice(inEnvironment))
  for (const name of inEnvironment.keys()) inFile.delete(counterpartOf(name))
  return { texts: resolveFiles(new Map([...inFile, ...inEnvironment]), errors), errors, injected }
}

/** `RADAR_PORT` is a setting too, and never has the address of a service as its value. */
function isInjected(name: string, text: string): boolean {
  return NAME_OF_KUBERNETES.test(name) || (name.endsWith('_PORT') && ADDRESS_OF_KUBERNETES.test(text))
}

/** Errors for secrets that one source sets both directly and by file, because neither takes precedence. */
function givenTwice(given: ReadonlyMap<string, Given>): string[] {
  return SECRETS.flatMap((name) => {
    const [own, byFile] = [given.get(name), given.get(counterpartOf(name))]
    if (own === undefined || byFile === undefined) return []
    const where = own.origin === byFile.origin ? own.origin : `${own.origin} and ${byFile.origin}`
    return [`${name} and ${counterpartOf(name)} are both set (in ${where}); keep one and remove the other.`]
  })
}

/** Returns `X_FILE` for `X`, and `X` for `X_FILE`. */
function counterpartOf(name: string): string {
  return name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : `${name}${FILE_SUFFIX}`
}

function resolveFiles(raw: ReadonlyMap<string, Given>, errors: string[]): Texts['texts'] {
  const texts = new Map<string, Given>()
  for (const [name, { text, origin }] of raw) {
    if (isSetting(name)) {
      texts.set(name, { text, origin })
      continue
    }
    const base = counterpartOf(name)
    if (name.endsWith(FILE_SUFFIX) && isSetting(base) && KNOWN[base].secret) {
      const content = readText(text)
      if (content === null)
        errors.push(`${name} is ${text}, which cannot be read; set it to a file that this user can read.`)
      else texts.set(base, { text: content.trim(), origin: text })
      continue
    }
    errors.push(unknownName(name, origin))
  }
  return texts
}

function readConfigFile(path: string, errors: string[]) {
  const content = readText(path)
  if (content === null) {
    errors.push(`${CONFIG_NAME} is ${path}, which cannot be read; set it to a file with lines of NAME=value.`)
    return []
  }
  const entries: { name: string; text: string; line: number }[] = []
  for (const [index, full] of content.split(/\r?\n/).entries()) {
    const trimmed = full.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const [, name, text] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(trimmed) ?? []
    if (name === undefined || text === undefined) {
      errors.push(`${path} line ${index + 1} is not NAME=value: ${JSON.stringify(trimmed.slice(0, 40))}.`)
    } else entries.push({ name, text: unquoted(text), line: index + 1 })
  }
  return entries
}

/**
 * Without blanks around it, such as the line end of `echo` in a Kubernetes secret, and without a pair of quotes around it, which Docker
 * keeps in `--env-file` and in lists of `environment`.
 */
function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2')
}

function isSetting(name: string): name is keyof typeof KNOWN {
  return Object.hasOwn(KNOWN, name)
}

function unknownName(name: string, origin: string): string {
  const known = [CONFIG_NAME, ...Object.keys(KNOWN), ...SECRETS.map(counterpartOf)]
  const near = nearest(name, known, LETTERS_WRONG_MAX)
  const hint = near ? ` Did you mean ${near}?` : ' `radar config` lists all settings.'
  return `${name} (from ${origin}) is not a setting.${hint}`
}
