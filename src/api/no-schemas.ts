import type { FastifyServerOptions } from 'fastify'

/**
 * Keeps Fastify from loading its schema compilers, which take 5 MB: `addRoutes` parses requests with zod. A route with a schema of its own
 * fails when it is added.
 */
export const NO_SCHEMAS: FastifyServerOptions['schemaController'] = {
  compilersFactory: { buildValidator: reject, buildSerializer: reject },
}

function reject(): never {
  throw new Error('Routes are defined in src/contract, without schemas of Fastify.')
}
