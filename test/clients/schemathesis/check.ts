import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountData } from '../../support/console-data.ts'
import { tenant } from '../../support/interfaces.ts'
import { startTestService } from '../../support/service.ts'
import { pythonProgram, type RunResult, run } from '../tools.ts'

const VERSION = 'schemathesis==4.32.5'
const NO_LIMIT = '1000000'

/**
 * Runs schemathesis with its default checks against a service with data. `args` are arguments of `schemathesis run`.
 * Returns the reason if it cannot be installed.
 */
export async function checkApi(args: readonly string[]): Promise<RunResult | { readonly missing: string }> {
  const program = await pythonProgram('schemathesis', VERSION)
  if ('missing' in program) return program
  await using running = await startTestService({
    RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: NO_LIMIT,
    RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE: NO_LIMIT,
    RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE: NO_LIMIT,
    RADAR_ACCOUNT_HOOKS_MAX: NO_LIMIT,
    RADAR_ACCOUNT_STOREFRONTS_MAX: NO_LIMIT,
  })
  const alice = await tenant(running, 'Alice')
  const appId = '404000001'
  await using _data = await createAccountData(running, alice.owner, appId)
  const folder = import.meta.dirname
  // It writes what it remembers of a run into the working directory.
  const scratch = mkdtempSync(join(tmpdir(), 'radar-schemathesis-'))
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => rmSync(scratch, { recursive: true }))
  return await run(
    join(program.folder, 'bin', 'schemathesis'),
    [
      ...['--config-file', join(folder, 'schemathesis.toml')],
      ...['run', `${running.url}/openapi.json`, '--header', `Authorization: Bearer ${alice.token}`, ...args],
    ],
    scratch,
    { RADAR_IMPORT_APP: `apple/${appId}/us`, SCHEMATHESIS_HOOKS: join(folder, 'hooks.py') },
  )
}
