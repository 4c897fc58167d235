import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type ITriggerFunctions,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow'

export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | ITriggerFunctions

export type RadarRequest = {
  readonly method: IHttpRequestMethods
  /** Below `/api/v1`. */
  readonly path: string
  readonly query?: IDataObject
  readonly body?: IDataObject
}

type Response = { readonly statusCode: number; readonly body: unknown }

/** Sends a request. Returns null when the object does not exist; throws a NodeApiError with the message of the service for other errors. */
export async function requestIfExists<T>(context: Context, request: RadarRequest): Promise<T | null> {
  const credentials = await context.getCredentials('reviewRadarApi')
  const baseUrl = String(credentials.baseUrl).replace(/\/+$/, '')
  const node = context.getNode()
  let response: Response
  try {
    response = await context.helpers.httpRequestWithAuthentication.call(context, 'reviewRadarApi', {
      method: request.method,
      url: `${baseUrl}/api/v1${request.path}`,
      qs: request.query,
      body: request.body,
      json: true,
      returnFullResponse: true,
      // The answer has the reason, which an exception for the status would hide.
      ignoreHttpStatusErrors: true,
    })
  } catch (error) {
    throw new NodeApiError(node, error as JsonObject, {
      message: `Review Radar does not answer at ${baseUrl}`,
      description: error instanceof Error ? error.message : undefined,
    })
  }
  const { statusCode, body } = response
  if (statusCode === 404) return null
  if (statusCode < 200 || statusCode > 299)
    throw new NodeApiError(node, response as unknown as JsonObject, {
      message: reasonOf(body) ?? `Review Radar answered ${statusCode}`,
      description: HINTS[statusCode],
      httpCode: String(statusCode),
    })
  if (typeof body === 'string' && body !== '')
    throw new NodeApiError(
      node,
      { statusCode },
      {
        message: `Review Radar does not answer at ${baseUrl}, but another service`,
      },
    )
  return (body ?? {}) as T
}

/** Like `requestIfExists`, but a missing object is an error. */
export async function request<T>(context: Context, wanted: RadarRequest): Promise<T> {
  const found = await requestIfExists<T>(context, wanted)
  if (found !== null) return found
  throw new NodeApiError(
    context.getNode(),
    { path: wanted.path },
    { message: `Review Radar has nothing at ${wanted.path}`, httpCode: '404' },
  )
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'The token of the credential is wrong, expired or revoked.',
  403: 'Create a token with this scope on the account page of Review Radar.',
  429: 'Wait and try again, or raise the limit of the account.',
}

function reasonOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  return typeof body.error === 'string' ? body.error : null
}
