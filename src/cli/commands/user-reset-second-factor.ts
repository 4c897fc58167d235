import type { Command } from '../command.ts'

export const userResetSecondFactor: Command = {
  about:
    'Removes the second factor of a user who lost the phone and the backup codes. The user then signs in with the password alone; all sessions end.',
  options: {
    email: { value: 'ADDRESS', required: true, help: 'E-mail address with which the user signs in.' },
  },
  async run({ environment, err }, args) {
    const [{ resetSecondFactor }, { commandActor }, { withUsers }] = await Promise.all([
      import('../../operations/accounts/second-factors.ts'),
      import('../../operations/audit.ts'),
      import('../../service/with-users.ts'),
    ])
    await withUsers(environment, async ({ users, audit }) => {
      const { id: target, email: detail } = await resetSecondFactor({ users }, args.option('email') ?? '')
      const by = commandActor('radar user reset-second-factor')
      await audit.recordForUser(target, { ...by, action: 'second_factor.reset', target, detail })
    })
    err('The second factor is removed. The user is signed out and can turn on a new one.\n')
    return 0
  },
}
