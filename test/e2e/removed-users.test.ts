import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peopleOperations } from '../../src/operations/accounts/people.ts'
import type { UserStore } from '../../src/operations/accounts/users.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { PASSWORD, signedIn, signInOf } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'

/** Carl, a member of Ann's account, and an invitation that makes him an owner of Ben's. */
async function started() {
  await using opened = new AsyncDisposableStack()
  const running = opened.use(await startTestService())
  const signIn = opened.use(signInOf(running))
  const { accounts, people, attemptLimits } = running.service.storage
  const [ann, ben] = [await signedIn(running, 'Ann'), await signedIn(running, 'Ben')]
  const operationsOf = (users: () => Promise<UserStore>) =>
    peopleOperations({ accounts, users, people, attemptLimits, clock: systemClock })
  const operations = operationsOf(signIn.get)
  const { token } = await operations.invite(ann.accountId, 'carl@example.com', 'member', 'Ann')
  const { user: carl } = await operations.accept(token, { name: 'Carl', password: PASSWORD }, '10.0.0.1')
  const invitation = await operations.invite(ben.accountId, 'carl@example.com', 'owner', 'Ben')
  const join = () => operations.join(invitation.token, carl.id, '10.0.0.1')
  const remove = (users = signIn.get) => operationsOf(users).removeMember(ann.accountId, carl.id)
  const closing = opened.move()
  return {
    users: signIn.get,
    people,
    ben,
    carl,
    join,
    remove,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

test('an invitation that a user accepts while they are removed leaves no owner without a user', async () => {
  await using service = await started()
  const { people, users, ben, join, remove } = service
  await remove(async () => {
    await join()
    return users()
  })
  const owners = await people.members(ben.accountId)
  assert.equal(owners.length, 1)
  assert.equal(await people.removeMember(ben.accountId, owners[0]?.userId ?? ''), 'last_owner')
})

test('an invitation that a user accepts just after they were removed is refused', async () => {
  await using service = await started()
  const { people, ben, join, remove } = service
  await remove()
  await assert.rejects(join(), { code: 'not_found' })
  assert.equal((await people.members(ben.accountId)).length, 1)
})
