import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml'
import { z } from 'zod'
import { says, snakeCase, text } from '../../contract/field.ts'
import { EXTERNAL_REF_CHARS_MAX, hookSettings, ruleFields } from '../../contract/hook.ts'
import { type MessageScheduleBody, messageScheduleFields } from '../../contract/message-schedule.ts'
import { targetSettings, targetType } from '../../contract/target.ts'
import { checkFilter } from '../../contract/watch-rules.ts'
import { APP_ID_CHARS_MAX, WATCHES_MAX } from '../../model/hook-limits.ts'
import type { TargetType } from '../../model/target.ts'
import { STOREFRONTS, STORES } from '../../model/vocabulary.ts'
import { OperationError } from '../../operations/error.ts'
import { changedSchedule } from '../../operations/hooks/message-schedule.ts'
import { scheduleInputOf } from '../../operations/hooks/schedule-record.ts'
import { settingsIssues, type TargetSettings } from '../../operations/hooks/target.ts'
import { systemClock } from '../../runtime/clock.ts'
import { CommandFailed } from '../command.ts'

/** The content of a file for `radar apply`. `line` is for error messages of the service. */
export type Wanted = {
  /** Null: the file has no list of hooks, so none is pruned. */
  readonly hooks: readonly WantedHook[] | null
  readonly apps: readonly WantedApp[]
}

const ref = `text of 1 to ${EXTERNAL_REF_CHARS_MAX} characters`
const watchList = says('watches', `a list of 1 to ${WATCHES_MAX} watches`)
const url = says('target_url', 'an http or https URL, or "pull:"')
const countries = says('countries', `a list of storefronts, each one of ${STOREFRONTS.join(', ')}`)
const appId = `text of 1 to ${APP_ID_CHARS_MAX} characters`

const watch = z
  .strictObject(ruleFields, { error: strictly('A watch must be a mapping.') })
  .superRefine(checkFilter)

const schedule = z.strictObject(messageScheduleFields, {
  error: strictly('message_schedule must be a mapping or null.'),
})

const hook = z
  .strictObject({
    external_ref: text('external_ref', ref, EXTERNAL_REF_CHARS_MAX),
    target_type: targetType,
    target_url: z.string(url).optional(),
    target_settings: targetSettings,
    ...hookSettings,
    message_schedule: schedule.nullish(),
    watches: z.array(watch, watchList).min(1, watchList).max(WATCHES_MAX, watchList),
  })
  .superRefine(checkTarget)
  .superRefine(checkSchedule)

type Targeted = {
  readonly target_type?: TargetType | null | undefined
  readonly target_url?: string | undefined
  readonly target_settings?: TargetSettings | null | undefined
}

/** A webhook has a URL, every other type settings that its schema accepts. */
function checkTarget(
  { target_type, target_url, target_settings: settings }: Targeted,
  context: z.RefinementCtx,
): void {
  const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  const type = target_type ?? 'webhook'
  if (type === 'webhook') {
    if (target_url === undefined)
      issue(['target_url'], 'target_url is required: it must be an http or https URL, or "pull:".')
    if (settings != null) issue(['target_settings'], 'target_settings must not be given for a webhook.')
    return
  }
  if (target_url !== undefined)
    issue(['target_url'], `target_url must not be given for "${type}": target_settings has the address.`)
  if (settings == null) issue(['target_settings'], `target_settings is required for "${type}".`)
  else
    for (const { setting, message } of settingsIssues(type, settings))
      issue(['target_settings', setting], message)
}

type Scheduled = Targeted & { readonly message_schedule?: MessageScheduleBody }

/** The rules of the service, so that a wrong schedule is found before the first change. */
function checkSchedule({ target_type, message_schedule }: Scheduled, context: z.RefinementCtx): void {
  const hook = { targetType: target_type ?? 'webhook', messageSchedule: null }
  try {
    changedSchedule(hook, scheduleInputOf(message_schedule), systemClock.now())
  } catch (error) {
    if (!(error instanceof OperationError) || error.field === null) throw error
    const field = snakeCase(error.field)
    context.addIssue({ code: 'custom', path: field.split('.'), message: `${field} ${error.problem}` })
  }
}

const app = z.strictObject({
  store: z.enum(STORES, says('store', '"apple" or "google"')),
  app_id: text('app_id', appId, APP_ID_CHARS_MAX),
  countries: z.array(z.enum(STOREFRONTS, countries), countries),
})

const schema = z.strictObject(
  {
    hooks: z.array(hook, says('hooks', 'a list of hooks')).nullish(),
    apps: z.array(app, says('apps', 'a list of apps')).nullish(),
  },
  { error: strictly('The file must be a mapping with "hooks" or "apps".') },
)

/** The message for a value of another type. Unknown fields have their own message. */
function strictly(message: string) {
  return ({ code }: { readonly code?: string }) => (code === 'invalid_type' ? message : undefined)
}

export type WantedHook = z.infer<typeof hook> & { readonly line: number }
export type WantedApp = z.infer<typeof app> & { readonly line: number }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Parses and validates a file. `name` is shown in errors. Settings that are `${NAME}` get the value of that variable. Throws
 * `CommandFailed` with every error and its line.
 */
export function readWanted(name: string, content: string, environment: Environment = {}): Wanted {
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, merge: true })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const fail = (problems: readonly string[]): never => {
    throw new CommandFailed(`The file is not valid; nothing was changed.\n${problems.join('\n')}`)
  }
  if (document.errors.length > 0)
    return fail(document.errors.map(({ pos, message }) => `${at(pos[0])}: ${firstLine(message)}`))
  keepNumericIds(document)
  const unset = fillVariables(document, environment)
  if (unset.length > 0) {
    return fail(
      unset.map(([offset, variable]) => `${at(offset)}: The environment variable ${variable} is not set.`),
    )
  }
  let value: unknown
  try {
    value = withoutExtensions(document.toJS({ maxAliasCount: 100 }))
  } catch (error) {
    return fail([`${name}: ${error instanceof Error ? firstLine(error.message) : String(error)}`])
  }
  const offsetOf = (path: readonly PropertyKey[]) => offsetIn(document, path)
  const { success, data, error } = schema.safeParse(value ?? {})
  if (!success) {
    const found = error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [offsetOf([...issue.path, key]), unknownKey(key, issue.path)] as const)
        : [[offsetOf(issue.path), issue.message] as const],
    )
    return fail(found.sort(([a], [b]) => a - b).map(([offset, message]) => `${at(offset)}: ${message}`))
  }
  const lineOf = (...path: PropertyKey[]) => lines.linePos(offsetOf(path)).line
  const hooks = data.hooks?.map((each, index) => ({ ...each, line: lineOf('hooks', index) })) ?? null
  const apps = data.apps?.map((each, index) => ({ ...each, line: lineOf('apps', index) })) ?? []
  const repeated = [
    ...repeatedIn(hooks ?? [], ({ external_ref }) => `external_ref "${external_ref}"`),
    ...repeatedIn(apps, ({ store, app_id }) => `app ${store}/${app_id}`),
  ].map(({ line, first, key }) => `${name}:${line}: The ${key} already exists in line ${first}.`)
  return repeated.length > 0 ? fail(repeated) : { hooks, apps }
}

/** Without fields that begin with `x-`, which hold comments and anchors. Target settings stay: they may have headers of such names. */
function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, each]) => [key, key === 'target_settings' ? each : withoutExtensions(each)]),
  )
}

const KEYS: Readonly<Record<string, z.ZodObject>> = { hooks: hook, apps: app }

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const place = path.includes('watches')
    ? watch
    : path.includes('message_schedule')
      ? schedule
      : (KEYS[String(path[0])] ?? schema)
  return `"${key}" is not a field here. Fields: ${Object.keys(place.shape).join(', ')}.`
}

/** YAML parses the id of an Apple app as a number. This restores its digits. */
function keepNumericIds(document: Document.Parsed): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'app_id' || !isScalar(value) || typeof value.value !== 'number')
        return
      if (/^\d+$/.test(value.source ?? '')) value.value = value.source
    },
  })
}

const VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/**
 * Replaces `${NAME}` in target settings, so that the file contains no secrets. Returns the variables that are not set, with their places.
 */
function fillVariables(
  document: Document.Parsed,
  environment: Environment,
): [offset: number, variable: string][] {
  const unset: [number, string][] = []
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'target_settings') return
      visit(value as Node, {
        Scalar(__, scalar) {
          const variable = typeof scalar.value === 'string' ? VARIABLE.exec(scalar.value)?.[1] : undefined
          if (variable === undefined) return
          const given = environment[variable]
          if (given === undefined) unset.push([scalar.range?.[0] ?? 0, variable])
          else scalar.value = given
        },
      })
    },
  })
  return unset
}

/** The offset of the value at `path`, or of the nearest parent that exists. */
function offsetIn(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const keys = path.slice(0, length)
    const parent = length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true)
    const offset = offsetOfKey(parent as ParsedNode | null, keys.at(-1))
    if (offset !== null) return offset
  }
  return 0
}

function offsetOfKey(parent: Node | null | undefined, key: PropertyKey | undefined): number | null {
  if (parent == null) return null
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key)
    return isScalar(pair?.key) ? (pair.key.range?.[0] ?? null) : null
  }
  const item = 'items' in parent ? (parent.items as Node[])[Number(key)] : undefined
  return item?.range?.[0] ?? null
}

function repeatedIn<Item extends { readonly line: number }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): { readonly line: number; readonly first: number; readonly key: string }[] {
  const seen = new Map<string, number>()
  return items.flatMap((item) => {
    const key = keyOf(item)
    const first = seen.get(key)
    if (first === undefined) seen.set(key, item.line)
    return first === undefined ? [] : [{ line: item.line, first, key }]
  })
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
