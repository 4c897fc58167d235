import type { CreatedInvitation } from '../../src/contract/console/people.ts'
import type { Role } from '../../src/model/vocabulary.ts'
import { type ConsoleClient, consoleClient, PASSWORD, type SignedIn } from './console-client.ts'
import type { TestService } from './service.ts'

/** A new user who accepts an invitation of the owner, signed in. The address is the name at example.com. */
export async function joined(
  running: TestService,
  owner: SignedIn,
  name: string,
  role: Role = 'member',
): Promise<ConsoleClient> {
  const invitation = { email: `${name.toLowerCase()}@example.com`, role }
  const { url } = await owner.fetchJson<CreatedInvitation>('POST', '/invitations', invitation)
  const guest = consoleClient(running.url)
  const token = new URL(url).pathname.split('/').at(-1)
  await guest.fetchJson('POST', '/invitations/accept', { token, name, password: PASSWORD })
  return guest
}
