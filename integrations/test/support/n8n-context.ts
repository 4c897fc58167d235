import type { IncomingHttpHeaders } from 'node:http'

/** A stand-in for the functions that n8n gives to a node, with real requests. `integrations/test/n8n` has the main cases in a real n8n. */

export type Values = Readonly<Record<string, unknown>>

export type HttpOptions = {
  readonly method: string
  readonly url: string
  readonly qs?: Values
  readonly body?: Values
}

export type ContextOptions = {
  readonly baseUrl: string
  readonly token: string
  readonly parameters: Values
  readonly targetUrl?: string
  readonly staticData?: Record<string, unknown>
  readonly isManual?: boolean
  readonly continueOnFail?: boolean
  readonly timezone?: string
}

export type Response = { status: number; body: unknown }

export function n8nContext(options: ContextOptions) {
  const { baseUrl, token, parameters, targetUrl, staticData = {} } = options
  const warnings: string[] = []
  const errors: Error[] = []
  const ticks: (() => void)[] = []
  const context = {
    warnings,
    /** What the trigger reported to n8n. */
    errors,
    /** What n8n calls at the times that the trigger asked for. */
    ticks,
    emitError: (error: Error) => errors.push(error),
    getTimezone: () => options.timezone ?? 'Etc/UTC',
    staticData,
    getCredentials: async () => ({ baseUrl, token }),
    getNode: () => ({ name: 'Review Radar', type: 'reviewRadar', parameters }),
    getNodeParameter: (name: string, ...rest: readonly unknown[]) => {
      const value = parameters[name]
      if (value !== undefined) return value
      // A hook function has no item index.
      return typeof rest[0] === 'number' && rest.length > 1 ? rest[1] : rest[0]
    },
    getNodeWebhookUrl: () => targetUrl,
    getWorkflow: () => ({ id: 'w1', name: 'Reviews' }),
    getWorkflowStaticData: () => staticData,
    getActivationMode: () => (options.isManual ? 'manual' : 'activate'),
    getInputData: () => [{ json: {} }],
    continueOnFail: () => options.continueOnFail ?? false,
    logger: { warn: (message: string) => warnings.push(message) },
    helpers: {
      registerCron: (_cron: Values, onTick: () => void) => ticks.push(onTick),
      httpRequestWithAuthentication: async (_type: string, { method, url, qs, body }: HttpOptions) => {
        const address = new URL(url)
        for (const [key, value] of Object.entries(qs ?? {})) address.searchParams.set(key, String(value))
        const response = await fetch(address, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { statusCode: response.status, body: text === '' ? undefined : jsonOrText(text) }
      },
    },
  }
  return context
}

/** n8n returns a body that is not JSON as text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The functions of a webhook call. */
export function n8nWebhook(
  staticData: Record<string, unknown>,
  request: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
) {
  const answered: Response = { status: 200, body: null }
  const response = {
    status: (status: number) => {
      answered.status = status
      return response
    },
    json: (body: unknown) => {
      answered.body = body
    },
  }
  return {
    answered,
    getRequestObject: () => ({ headers: request.headers, rawBody: request.body }),
    getResponseObject: () => response,
    getWorkflowStaticData: () => staticData,
  }
}
