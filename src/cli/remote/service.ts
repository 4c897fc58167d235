import { ApiResponseError, createClient } from '../../client/client.ts'
import { listenConfigOf } from '../../service/config/listen.ts'
import { CommandFailed, type Io } from '../command.ts'
import { callFailure } from './call-failure.ts'

/** Above the 30 s that the service may wait for events. */
const CALL_MS_MAX = 45_000

/** The service that `RADAR_URL` and `RADAR_TOKEN` name. */
export type RemoteService = ReturnType<typeof remoteService>

/** Throws `CommandFailed` without a token, and `ConfigError`. */
export function remoteService(io: Pick<Io, 'environment'>) {
  const { url, token } = listenConfigOf(io.environment)
  if (token === null) {
    throw new CommandFailed(
      'This command requires an API token in RADAR_TOKEN, or in the file that RADAR_TOKEN_FILE names. Create one with "radar token create --account ID".',
    )
  }
  return {
    client: createClient({ baseUrl: url, token, timeoutMs: CALL_MS_MAX }),
    /** Why a call failed, as the command reports it. Rethrows internal errors. */
    failed: (cause: unknown): CommandFailed =>
      new CommandFailed(callFailure(cause, url, CALL_MS_MAX), { cause }),
    /** Whether the same call may succeed later: the service is unreachable, busy or restarting. */
    mayRecover: (error: unknown): boolean =>
      error instanceof ApiResponseError
        ? error.status === 429 || error.status >= 500
        : error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'),
  }
}
