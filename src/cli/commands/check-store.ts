import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isStorefront } from '../../model/market.ts'
import { FAULT_TEXTS } from '../../model/source-health.ts'
import { storeAppOf } from '../../model/store-app.ts'
import { STOREFRONTS, type Store, type Storefront } from '../../model/vocabulary.ts'
import { type CredentialsInput, credentialsOf } from '../../operations/connections/credentials.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { CheckedSource } from '../../service/check-store.ts'
import { configOf } from '../../service/config/config.ts'
import { type Arguments, type Command, CommandFailed, UsageError } from '../command.ts'
import { readKeyFile } from '../key-file.ts'
import { newFile } from '../new-file.ts'
import { stopSignals } from '../stop-signal.ts'
import { storeReport } from '../store-report.ts'
import { JSON_OPTION, jsonLine, sanitize, shownAt } from '../table.ts'

const STORE_NAMES = { apple: 'the App Store', google: 'Google Play' } as const

export const checkStoreCommand: Command = {
  about:
    'Requests every public source of an app once, one request per second, and prints whether each response has the expected format. The responses are written to a new folder, for a report of a changed format, without names and texts of reviewers. It needs no database. With --key-file it requests the official API of your own app too. Fails when no source has the reviews or none has the rating.',
  options: {
    country: { value: 'CODE', choices: STOREFRONTS, help: 'Storefront, `us` by default.' },
    folder: {
      value: 'FOLDER',
      help: 'New folder for the responses; by default one in the current folder.',
    },
    report: { help: 'Print one block to paste into a bug report instead, without names and texts.' },
    raw: { help: 'Write the responses as they are, with names and texts of reviewers.' },
    'key-file': {
      value: 'FILE',
      help: 'Also request the official API with this .p8 file, or JSON file of Google.',
    },
    'key-id': { value: 'ID', help: 'Apple: the key id; by default taken from the file name AuthKey_ID.p8.' },
    'issuer-id': { value: 'UUID', help: 'Apple: the issuer id of a team key.' },
    'reports-bucket': { value: 'URI', help: 'Google: also read its monthly reports.' },
    json: JSON_OPTION,
  },
  positionals: ['STORE/APP_ID'],
  async run({ environment, out, err }, args) {
    const app = appOf(args)
    const config = configOf(environment)
    const key = await keyOf(args, app.store)
    const credentials = key === null ? null : credentialsOf(key).credentials
    const asksPublic = config.stores.publicSources === 'on'
    if (!asksPublic && credentials === null) {
      throw new CommandFailed(
        'Public pages of the stores are off (RADAR_PUBLIC_SOURCES=off), so none was requested. Run the command with RADAR_PUBLIC_SOURCES=on, or with --key-file for your own app.',
      )
    }
    const { checkStore, findingsOf } = await import('../../service/check-store.ts')
    const folder = args.option('folder') ?? defaultFolder(app)
    await newFolder(folder)
    const json = args.isOn('json')
    const report = args.isOn('report')
    const raw = args.isOn('raw')
    const prints = !json && !report
    if (prints) {
      out(`${app.appId} on ${STORE_NAMES[app.store]}, storefront ${app.storefront}\n\n`)
      out(row('SOURCE', 'FOR', 'ANSWER', 'STATUS', 'MS', 'DETAIL'))
    }
    using signals = stopSignals()
    const stop = new AbortController()
    void signals.first.then(() => stop.abort())
    const all: CheckedSource[] = []
    let savedFiles = 0
    for await (const checked of checkStore(config, app, credentials, { signal: stop.signal, raw })) {
      const { source, serves, verdict, status, ms } = checked
      all.push(checked)
      const file = await saved(folder, checked)
      if (file !== null) savedFiles += 1
      if (json) out(jsonLine(recordOf(checked, file)))
      else if (prints)
        out(row(source, serves, verdict.kind, String(status ?? '-'), String(ms), detailOf(checked)))
    }
    if (savedFiles === 0) await rmdir(folder)
    if (stop.signal.aborted) return 1
    const now = systemClock.now()
    const findings = findingsOf(all, now)
    if (report) out(storeReport(app, all, findings, now))
    if (prints) {
      for (const [source, { fault }] of findings)
        if (fault != null && fault !== 'delayed') out(`\n${source}: ${FAULT_TEXTS[fault]}.`)
      out(
        savedFiles === 0
          ? '\nNo source answered, so nothing was saved.\n'
          : `\nThe answers are in ${folder}, ${raw ? 'with' : 'without'} names and texts of reviewers.\n`,
      )
    }
    for (const { source } of all.filter(({ verdict }) => verdict.kind === 'changed')) {
      err(`The format of ${source} has changed: report it with ${join(folder, `${source}.txt`)}.\n`)
    }
    const found = new Set(all.flatMap(({ serves, verdict }) => (verdict.kind === 'known' ? [serves] : [])))
    if (!found.has('reviews')) err(`No source has reviews of ${app.appId} in ${app.storefront}.\n`)
    if (asksPublic && !found.has('rating'))
      err(`No source has the rating of ${app.appId} in ${app.storefront}.\n`)
    return found.has('reviews') && (found.has('rating') || !asksPublic) ? 0 : 1
  },
}

/** As in `radar store connect`, without a service. */
async function keyOf(args: Arguments, store: Store): Promise<CredentialsInput | null> {
  const file = args.option('key-file')
  if (file === undefined) return null
  const { key, keyId } = await readKeyFile(args, file)
  if (store === 'google') {
    const reportsBucket = args.option('reports-bucket') ?? null
    return { kind: 'googleplay-developer', serviceAccount: key, reportsBucket }
  }
  return {
    kind: 'appstoreconnect',
    keyId,
    issuerId: args.option('issuer-id') ?? null,
    privateKey: key,
  }
}

type App = { readonly store: Store; readonly appId: string; readonly storefront: Storefront }

function appOf(args: Arguments): App {
  const [text = ''] = args.positionals
  const app = storeAppOf(text)
  if (app === null) {
    throw new UsageError(
      `The app must be apple/ID or google/PACKAGE, such as apple/310633997 or google/com.whatsapp, not "${text}".`,
    )
  }
  const storefront = args.option('country') ?? 'us'
  if (!isStorefront(storefront)) {
    throw new UsageError(`--country must be one of ${STOREFRONTS.join(', ')}, not "${storefront}".`)
  }
  return { ...app, storefront }
}

function defaultFolder({ store, appId }: App): string {
  const at = systemClock
    .now()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '')
  return `check-store-${store}-${appId}-${at}`
}

async function newFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailed(
      `The folder ${folder} cannot be created (${reason}). Specify a new one with --folder.`,
      {
        cause,
      },
    )
  })
}

async function saved(folder: string, { source, exchange }: CheckedSource): Promise<string | null> {
  if (exchange === null) return null
  const path = join(folder, `${source}.txt`)
  await using file = await newFile(path)
  await file.write(exchange)
  return path
}

function row(...cells: readonly string[]): string {
  const widths = [22, 9, 9, 8, 7]
  return `${cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join('')
    .trimEnd()}\n`
}

function detailOf({ verdict }: CheckedSource): string {
  const newest = verdict.newestAt === null ? '' : ` Newest: ${shownAt(verdict.newestAt)}.`
  return sanitize(`${verdict.detail}${newest}`)
}

function recordOf({ source, serves, verdict, status, ms }: CheckedSource, file: string | null): object {
  return {
    source,
    serves,
    answer: verdict.kind,
    detail: verdict.detail,
    reviews: verdict.reviews,
    newest_first: verdict.newestFirst,
    newest_review_at: verdict.newestAt?.toISOString() ?? null,
    status,
    ms,
    file,
  }
}
