import { type ConsoleDeps, consoleRoutes } from '../../src/api/console/console.ts'
import { createOperations, type OperationsDeps } from '../../src/operations/operations.ts'
import { PASSWORD } from './console-client.ts'

/** Only the table of routes is used. Its operations are never called. */
const operations = createOperations({} as OperationsDeps)

/** The routes of the console's API, without those of the sign-in library. */
export const CONSOLE_ROUTES = consoleRoutes({ operations } as Partial<ConsoleDeps> as ConsoleDeps).filter(
  ({ path }) => path !== '/auth/*',
)

/** Valid bodies by method and path, so that only authorization can reject a request. */
export function consoleBodies(appId: string): Readonly<Record<string, unknown>> {
  return {
    'POST /destinations': { target_url: 'https://example.com/hook' },
    'POST /destinations/preview': {
      target_type: 'slack',
      target_settings: { url: 'https://hooks.slack.com/services/T1/B1/x' },
      event_type: 'review.created',
    },
    'POST /watch-sets/preview': { apps: 'all', event_type: 'review.created' },
    'POST /views': { name: 'Mine', filters: {} },
    'POST /inbox': {},
    'POST /sso': {},
    'POST /passkeys': { name: 'one', response: {} },
    'PATCH /passkeys/:id': { name: 'one' },
    'POST /passkey-sign-in': { response: {} },
    'POST /account/deletion': { name: 'another name' },
    'PUT /second-factor/requirement': { required: false },
    'POST /watches/preview': { store: 'apple', app_id: appId, event_type: 'review.created' },
    'POST /tokens': { name: 'one' },
    'POST /invitations': { email: 'x@example.com', role: 'viewer' },
    'PATCH /members/:userId': { role: 'member' },
    'PATCH /account': { name: 'Renamed' },
    'POST /invitations/shown': { token: 'x' },
    'POST /invitations/accept': { token: 'x', name: 'X', password: PASSWORD },
    'POST /invitations/join': { token: 'x' },
    'POST /session/account': { account: 'acc_x' },
    'POST /setup': { code: 'x', name: 'X', email: 'x@example.com', password: PASSWORD },
    'POST /signup': { name: 'X', email: 'x@example.com', password: PASSWORD },
  }
}
