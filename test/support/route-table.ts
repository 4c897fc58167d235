import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'

export type ServedRoute = {
  readonly method: string
  /** As the router has it: `/api/v1/hooks/:id`. */
  readonly url: string
}

/** Every route that a server answers, of all groups. HEAD is left out: it runs the handler of GET. */
export function routesOf(server: FastifyInstance): ServedRoute[] {
  const found: ServedRoute[] = []
  const parents: string[] = []
  // Without common prefixes the wildcard routes would lack what is before the wildcard.
  for (const line of server.printRoutes().split('\n')) {
    const match = /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>[^)]*)\))?$/.exec(line)
    if (match?.groups === undefined) continue
    const { indent = '', part = '', methods = '' } = match.groups
    const depth = indent.length / 4
    const url = `${depth === 0 ? '' : (parents[depth - 1] ?? assert.fail(line))}${part}`
    parents.length = depth
    parents[depth] = url
    for (const method of methods.split(', '))
      if (method !== '' && method !== 'HEAD') found.push({ method, url })
  }
  return found
}

/** The parts of a path that name objects, each with the part before it: `hooks/:id`. */
export function paramsOf(url: string): string[] {
  const parts = url.split('/')
  return parts.flatMap((part, at) => (part.startsWith(':') ? [`${parts[at - 1]}/${part}`] : []))
}
