import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { routesFor } from '../contract/routes.ts'
import { createOperations, type OperationsDeps } from '../operations/operations.ts'
import { AUDIT_RULES } from './audit.ts'
import { type ConsoleDeps, consoleRoutes } from './console/console.ts'
import type { Route } from './route.ts'
import { type ApiRouteDeps, apiRoutes } from './v1/routes.ts'

/** Only the routes are used; their operations are never called. */
const operations = createOperations({} as OperationsDeps)
const ROUTES: Readonly<Record<string, readonly Route[]>> = {
  '/api/console': consoleRoutes({ operations } as Partial<ConsoleDeps> as ConsoleDeps),
  '/api/v1': Object.values(
    apiRoutes(routesFor(), { operations } as Pick<ApiRouteDeps, 'operations'> as ApiRouteDeps),
  ),
}

for (const [prefix, routes] of Object.entries(ROUTES)) {
  describe(`the audit rules of ${prefix}`, () => {
    const changing = routes.filter(({ method }) => method !== 'GET')
    const named = ({ method, path }: Route) => `${method} ${path}`
    const rules = AUDIT_RULES[prefix] ?? {}

    it(`the audit rules of ${prefix} cover every changing route and no other`, () => {
      assert.ok(changing.length > 5)
      assert.deepEqual(Object.keys(rules).sort(), changing.map(named).sort())
    })

    it(`the audit rules of ${prefix} exist for every changing route except previews, routes without a caller and those whose operation decides`, () => {
      const without = changing.filter((route) => rules[named(route)] === null)
      const expected =
        prefix === '/api/console' ? ['POST /account/deletion'] : ['DELETE /reviews/:fingerprint']
      assert.deepEqual(
        without.filter(({ access, path }) => access !== 'anyone' && !path.endsWith('/preview')).map(named),
        expected,
      )
    })
  })
}
