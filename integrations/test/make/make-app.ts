import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { INTEGRATIONS, readJson } from '../support/files.ts'
import { evaluate, type Scope } from './iml.ts'

/** Runs components of the app as Make does, with requests to a real service. */

export type Component = {
  readonly label: string
  readonly moduleType?: string
  readonly webhook?: string
  readonly connection?: string | null
  readonly codeFiles: Readonly<Record<string, string>>
}
type Kind = 'connection' | 'webhook' | 'module' | 'rpc' | 'function'
type AppManifest = {
  readonly generalCodeFiles: Readonly<Record<string, string | null>>
  readonly components: Readonly<Record<Kind, Readonly<Record<string, Component>>>>
}

export const manifest = readJson<AppManifest>('make/makecomapp.json')

export function codeOf<T>(path: string): T {
  return readJson<T>(join('make', path))
}

export function exists(path: string): boolean {
  return existsSync(join(INTEGRATIONS, 'make', path))
}

export function component(kind: Kind, id: string): Component {
  const found = manifest.components[kind][id]
  if (found === undefined) throw new Error(`no ${kind} ${id}`)
  return found
}

/** One code file of a component. */
export function code<T>(kind: Kind, id: string, part: string): T {
  const path = component(kind, id).codeFiles[part]
  if (path === undefined) throw new Error(`${kind} ${id} has no ${part}`)
  return codeOf<T>(path)
}

type Request = {
  readonly url: string
  readonly method: string
  readonly headers?: Scope
  readonly qs?: unknown
  readonly body?: unknown
  readonly condition?: string
  readonly pagination?: { readonly qs: Scope; readonly condition: string }
  readonly response?: {
    readonly limit?: string
    readonly iterate?: string
    readonly output?: unknown
    readonly data?: Scope
    readonly temp?: Scope
    readonly metadata?: unknown
  }
}
type Base = {
  readonly baseUrl: string
  readonly headers: Scope
  readonly response: { readonly error: Scope & { readonly message: string } }
}

export type Answer = {
  readonly outputs: readonly unknown[]
  readonly data: Scope
  readonly metadata: unknown
}

/** Sends the requests of a communication, with the settings of the base unless it is that of a connection. */
export async function communicate(
  communication: Request | readonly Request[],
  scope: Scope,
  { withBase = true } = {},
): Promise<Answer> {
  const base = codeOf<Base>(manifest.generalCodeFiles.base ?? '')
  const outputs: unknown[] = []
  let data: Scope = {}
  let temp: Scope = {}
  let metadata: unknown
  for (const request of Array.isArray(communication) ? communication : [communication as Request]) {
    let cursor: unknown
    do {
      const inRequest = { ...scope, temp }
      if (request.condition !== undefined && !evaluate(request.condition, inRequest)) break
      const url = new URL(
        `${withBase ? evaluate(base.baseUrl, scope) : ''}${evaluate(request.url, inRequest)}`,
      )
      const qs = { ...(evaluate(request.qs ?? {}, inRequest) as Scope), ...(cursor as Scope | undefined) }
      for (const [key, value] of Object.entries(qs)) url.searchParams.set(key, String(value))
      const body = evaluate(request.body, inRequest)
      const response = await fetch(url, {
        method: String(evaluate(request.method, inRequest)),
        headers: {
          ...(withBase ? (evaluate(base.headers, scope) as Record<string, string>) : {}),
          ...(evaluate(request.headers ?? {}, scope) as Record<string, string>),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const answered = {
        ...inRequest,
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: text === '' ? undefined : JSON.parse(text),
      }
      if (response.status >= 400) {
        const known = base.response.error[String(response.status)] as { message: string } | undefined
        throw new Error(String(evaluate((known ?? base.response.error).message, answered)))
      }
      const { limit, iterate, output = '{{body}}', ...stored } = request.response ?? {}
      const items = iterate === undefined ? [undefined] : (evaluate(iterate, answered) as unknown[])
      outputs.push(...items.map((item) => evaluate(output, { ...answered, item })))
      data = { ...data, ...(evaluate(stored.data ?? {}, answered) as Scope) }
      temp = { ...temp, ...(evaluate(stored.temp ?? {}, answered) as Scope) }
      metadata ??= evaluate(stored.metadata, answered)
      const max = limit === undefined ? Number.POSITIVE_INFINITY : Number(evaluate(limit, scope))
      if (outputs.length >= max) return { outputs: outputs.slice(0, max), data, metadata }
      const { pagination } = request
      cursor =
        pagination !== undefined && evaluate(pagination.condition, answered)
          ? evaluate(pagination.qs, answered)
          : undefined
    } while (cursor !== undefined)
  }
  return { outputs, data, metadata }
}
