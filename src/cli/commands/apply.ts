import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Client } from '../../client/client.ts'
import type { HookDetail } from '../../contract/hook.ts'
import type { TrackedApp } from '../../contract/v1/apps.ts'
import { execute } from '../apply/execute.ts'
import { readWanted } from '../apply/file.ts'
import { type Change, changeJson, changeText, isOwn, planOf } from '../apply/plan.ts'
import { printedSecrets, secretFile } from '../apply/secrets.ts'
import { type Arguments, type Command, CommandFailed, type Io } from '../command.ts'
import { remoteService } from '../remote/service.ts'
import { excerpt, JSON_OPTION, jsonLine } from '../table.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'

const FILE = 'radar.yaml'
/** The exit status of `--plan` when there are changes; 2 is wrong usage. */
const CHANGES = 3

export const apply: Command = {
  about:
    'Makes the hooks and tracked apps of an account match a file: it creates what is missing and changes what differs, and a second run changes nothing. Hooks are identified by their external_ref. It calls the service at RADAR_URL (default http://127.0.0.1:8080) with the token in RADAR_TOKEN. With --plan it only prints the changes, and the exit status is 3 if there are any.',
  options: {
    file: { value: 'FILE', short: 'f', help: `The file, ${FILE} by default; - reads standard input.` },
    plan: { help: 'Print the changes without making them.' },
    prune: { help: 'Also remove hooks with an external_ref that is not in the file.' },
    secrets: {
      value: 'FILE',
      help: 'Append the secrets of new hooks to this file instead of printing them.',
    },
    yes: YES_OPTION,
    json: JSON_OPTION,
  },
  async run(io, args) {
    const name = args.option('file') ?? FILE
    const wanted = readWanted(name, await contentOf(name), io.environment)
    const { client, failed } = remoteService(io)
    const [hooks, apps] = await Promise.all([
      ownHooks(client),
      client.call<TrackedApp[]>('GET', '/tracked-apps'),
    ]).catch((error: unknown) => {
      throw failed(error)
    })
    const changes = planOf(wanted, hooks, apps, { prune: args.isOn('prune') })
    const asJson = args.isOn('json')
    const print = (change: Change) => io.out(asJson ? jsonLine(changeJson(change)) : changeText(change))
    const say = asJson ? io.err : io.out
    if (changes.length === 0) {
      say('Nothing to change.\n')
      return 0
    }
    if (args.isOn('plan')) {
      changes.forEach(print)
      say(`${counted(changes.length)} to make. Nothing was changed.\n`)
      return CHANGES
    }
    if (!(await mayRemove(io, args, changes))) return 1
    await using secrets = await secretOutput(io, args, changes, asJson)
    let made = 0
    for (const change of changes) {
      try {
        await execute(client, change, secrets)
      } catch (error) {
        throw problemOf(error instanceof CommandFailed ? error : failed(error), name, change, made)
      }
      print(change)
      made += 1
    }
    say(`${counted(made)} made.\n`)
    return 0
  },
}

/** The list does not have all settings, so each hook is requested. */
const REQUESTS_AT_ONCE = 8

async function ownHooks(client: Client): Promise<HookDetail[]> {
  const ids = (await client.listHooks()).filter(isOwn).map(({ id }) => id)
  const hooks: HookDetail[] = []
  for (let at = 0; at < ids.length; at += REQUESTS_AT_ONCE) {
    hooks.push(...(await Promise.all(ids.slice(at, at + REQUESTS_AT_ONCE).map((id) => client.getHook(id)))))
  }
  return hooks
}

async function contentOf(name: string): Promise<string> {
  if (name === '-') return text(process.stdin)
  return readFile(name, 'utf8').catch((cause: unknown) => {
    throw new CommandFailed(
      `The file ${name} cannot be read (${cause instanceof Error ? cause.message : String(cause)}). Specify another one with -f FILE.`,
      { cause },
    )
  })
}

/** Asks for confirmation before hooks are removed. Throws `UsageError` without a terminal. */
async function mayRemove(io: Io, args: Arguments, changes: readonly Change[]): Promise<boolean> {
  const removed = changes.flatMap((change) => (change.kind === 'remove hook' ? [change.hook] : []))
  if (removed.length === 0) return true
  const names = removed.map(({ external_ref: ref }) => excerpt(ref ?? '', 80)).join(', ')
  const hooks = removed.length === 1 ? 'hook' : `${removed.length} hooks`
  return confirmed(io, args, `Remove the ${hooks} ${names}, with pending deliveries?`)
}

async function secretOutput(io: Io, args: Arguments, changes: readonly Change[], asJson: boolean) {
  const path = args.option('secrets')
  const isNeeded = changes.some(({ kind }) => kind === 'create hook')
  return path !== undefined && isNeeded ? secretFile(path) : printedSecrets(io, asJson)
}

/** Adds the line of the failed change in the file, and the number of changes made before it. */
function problemOf(failure: CommandFailed, name: string, change: Change, made: number): CommandFailed {
  const place = change.kind === 'remove hook' ? `hook ${change.hook.id}` : `${name}:${change.wanted.line}`
  const done =
    made === 0 ? 'No change was completed.' : `${counted(made)} made before it; run the command again.`
  return new CommandFailed(`${place}: ${failure.message} ${done}`, { cause: failure })
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'}`
}
