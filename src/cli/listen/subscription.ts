import { isIP } from 'node:net'
import { ApiResponseError, createClient } from '../../client/client.ts'
import type { AttemptView } from '../../contract/attempt.ts'
import type { SubscribeBody } from '../../contract/hook.ts'
import { CommandFailed } from '../command.ts'
import { callFailure } from '../remote/call-failure.ts'
import { sanitize } from '../table.ts'

/** Identifies the hooks of this command, so that a remaining one can be found. */
export const LISTEN_REF = 'radar listen'
/** The timeout of a call to the service, above the 15 s that a test event may take by default. */
const CALL_MS_MAX = 20_000

export type Subscription = {
  readonly hookId: string
  readonly secret: string
  /** Sends a test event through the service. Throws `CommandFailed`. */
  readonly test: () => Promise<AttemptView>
  /**
   * Deletes the hook. When that fails or a second signal comes first, throws `CommandFailed` with instructions for
   * deleting it manually.
   */
  readonly end: (forced: Promise<void>) => Promise<void>
}

/** Creates a hook over the REST API. Throws `CommandFailed`. */
export async function subscribe(options: {
  readonly url: string
  readonly token: string
  readonly body: SubscribeBody & { readonly target_url: string }
}): Promise<Subscription> {
  const { url, token, body } = options
  const client = createClient({ baseUrl: url, token, timeoutMs: CALL_MS_MAX })
  const failed = (error: unknown) => failureOf(error, url, body.target_url)
  const { id, secret } = await client
    .subscribe({ ...body, external_ref: LISTEN_REF })
    .catch((cause: unknown) => {
      throw new CommandFailed(failed(cause), { cause })
    })
  return {
    hookId: id,
    secret,
    test: () =>
      client.testHook(id).catch((cause: unknown) => {
        throw new CommandFailed(failed(cause), { cause })
      }),
    end: async (forced) => {
      const deleted = client.unsubscribe(id).then(() => null, unlessGone)
      const why = await Promise.race([
        deleted,
        forced.then(() => 'The command ended before the service responded.'),
      ])
      if (why === null) return
      throw new CommandFailed(
        `The hook ${sanitize(id)} was not deleted. ${why} Delete it in the console, or with: curl -X DELETE -H "Authorization: Bearer $RADAR_TOKEN" ${url}/api/v1/hooks/${encodeURIComponent(id)}`,
      )
    },
  }

  /** Ignores 404, since another user may have deleted the hook. */
  function unlessGone(error: unknown): string | null {
    return error instanceof ApiResponseError && error.status === 404 ? null : failed(error)
  }
}

/** Why a call of the client failed, and what to do. Rethrows internal errors. */
function failureOf(error: unknown, url: string, targetUrl: string): string {
  const host = URL.parse(targetUrl)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const isPrivate = error instanceof ApiResponseError && error.message.includes('RADAR_ALLOW_TARGET_CIDRS')
  if (isPrivate && isIP(host) !== 0) {
    return `The service does not send to private addresses such as ${host}: add ${host} to RADAR_ALLOW_TARGET_CIDRS in the service's settings and restart it.`
  }
  return callFailure(error, url, CALL_MS_MAX)
}
