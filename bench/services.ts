import { join } from 'node:path'
import MALLOC from '../src/runtime/malloc.json' with { type: 'json' }
import NODE_OPTIONS from '../src/runtime/node-options.json' with { type: 'json' }
import { type Child, startChild } from './child.ts'
import type { Usage } from './children/calls.ts'
import type { BenchEngine } from './engines.ts'
import { SECRET_KEY } from './hooks.ts'
import type { Bench } from './measurement.ts'

/** As in bin/radar: it caches compiled code, which saves memory too. */
const PRELOADED = ['--import', new URL('../src/runtime/load-typescript.js', import.meta.url).href]

export type ServiceChild = {
  readonly url: () => Promise<string>
  readonly usage: () => Promise<Usage>
  readonly statements: () => Promise<number>
  readonly logFile: string
  readonly pid: number
} & AsyncDisposable

/** The service in a separate process on this database, with default settings except `settings`. It logs to a file. */
export async function startService(
  bench: Pick<Bench, 'options' | 'folder'>,
  engine: BenchEngine,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceChild> {
  const folder = await bench.folder()
  const logFile = join(folder, 'log')
  const { profileFolder } = bench.options
  const child: Child = await startChild('service', {
    outputFile: logFile,
    execArgv: [
      ...NODE_OPTIONS,
      ...PRELOADED,
      ...(profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]),
    ],
    environment: {
      RADAR_PORT: '0',
      RADAR_DATA_DIR: folder,
      RADAR_DATABASE_URL: engine.url,
      RADAR_SECRET_KEY: SECRET_KEY,
      RADAR_ALLOW_TARGET_CIDRS: '127.0.0.1',
      RADAR_ENRICHMENT: 'off',
      ...MALLOC,
      UV_THREADPOOL_SIZE: '32',
      ...settings,
    },
  })
  return {
    url: () => child.call('url'),
    usage: () => child.call('usage'),
    statements: () => child.call('statements'),
    logFile,
    pid: child.pid,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
