import { type Log, silentLog } from '../../src/runtime/log.ts'
import { startTestService, type TestService } from './service.ts'

/** A service that nobody has set up yet. `code`: the one-time code of the setup page from its log; empty when it logged none. */
export async function startBeforeSetup(
  settings: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { readonly running: TestService; readonly code: string }> {
  let code = ''
  const log: Log = {
    ...silentLog,
    info: (event, fields) => {
      if (event === 'setup.code') code = String(fields?.code)
    },
  }
  const running = await startTestService(settings, { log })
  return { running, code, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}
