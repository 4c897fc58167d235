import type { Command } from '../command.ts'

export const userResetPassword: Command = {
  about:
    'Prints a link with which a user sets a new password. It works once, for an hour; all sessions of the user end then.',
  options: {
    email: { value: 'ADDRESS', required: true, help: 'The user signs in with it.' },
  },
  async run({ environment, out, err }, args) {
    const [{ createPasswordReset }, { commandRecord }, { withUsers }, { systemClock }] = await Promise.all([
      import('../../operations/accounts/password-resets.ts'),
      import('../../operations/audit.ts'),
      import('../../service/with-users.ts'),
      import('../../runtime/clock.ts'),
    ])
    const email = args.option('email') ?? ''
    const { link, expiresAt } = await withUsers(environment, async (opened) => {
      const { users, storage, audit, publicUrl } = opened
      const reset = await createPasswordReset({ users, clock: systemClock }, email)
      const { id: target, email: detail } = reset.user
      const accountId = (await storage.people.memberOf(target))?.accountId
      if (accountId !== undefined) {
        const change = { accountId, action: 'password.reset_link_created', target, detail } as const
        await audit.record(commandRecord('radar user reset-password', change))
      }
      return { link: `${publicUrl.replace(/\/$/, '')}/reset-password/${reset.token}`, ...reset }
    })
    err(`The link is valid until ${expiresAt.toISOString()}. Give it only to the user.\n`)
    out(`${link}\n`)
    return 0
  },
}
