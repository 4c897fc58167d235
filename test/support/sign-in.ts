import assert from 'node:assert/strict'
import type { SignIn } from '../../src/api/console/sign-in.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { MaintenanceStorage } from '../../src/storage/port/maintenance.ts'

/** Helpers for sign-in tests, and tests for both engines. */

export const ANN = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' }

/** A request of the console's pages. */
export function request(path: string, body: unknown, cookie?: string, clientAddress = '192.0.2.1') {
  return { path, body, cookie, clientAddress, userAgent: 'test' }
}

/** The cookie header for these set-cookie headers. */
export function cookieOf(setCookies: readonly string[]): string {
  return setCookies.map((each) => each.split(';')[0]).join('; ')
}

const DAY_MS = 24 * 3_600_000

/** Asserts that retention deletes expired sessions and links and keeps valid ones. */
export async function assertRetention(
  maintenance: Pick<MaintenanceStorage, 'prune'>,
  signIn: SignIn,
): Promise<void> {
  const user = await signIn.createUser(ANN)
  const cookie = cookieOf(await signIn.open(ANN))
  const startMs = systemClock.now().getTime()
  await signIn.createPasswordReset(user?.id ?? '', new Date(startMs + DAY_MS), { keepsPasskeys: false })
  const prune = (days: number) => maintenance.prune(instantOf(startMs + days * DAY_MS), 100)
  assert.equal(await prune(-1), 0)
  assert.equal(await prune(29), 1, 'a link')
  assert.notEqual((await signIn.sessionOf(cookie)).user, null)
  assert.equal(await prune(31), 1)
  assert.equal(await prune(31), 0)
  assert.equal((await signIn.sessionOf(cookie)).user, null)
  assert.equal((await signIn.userByEmail(ANN.email))?.name, ANN.name)
}
