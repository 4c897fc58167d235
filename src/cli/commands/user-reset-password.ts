import type { Command } from '../command.ts'

export const userResetPassword: Command = {
  about:
    'Prints a link that lets a user set a new password. It works once and expires after one hour. The new password ends all sessions of the user and removes the passkeys.',
  options: {
    email: { value: 'ADDRESS', required: true, help: 'E-mail address with which the user signs in.' },
    'keep-passkeys': { help: 'Keep the passkeys. Use it only when nobody else can have added one.' },
  },
  async run({ environment, out, err }, args) {
    const [{ createPasswordReset }, { commandRecord }, { withUsers }, { systemClock }] = await Promise.all([
      import('../../operations/accounts/password-resets.ts'),
      import('../../operations/audit.ts'),
      import('../../service/with-users.ts'),
      import('../../runtime/clock.ts'),
    ])
    const email = args.option('email') ?? ''
    const keepsPasskeys = args.isOn('keep-passkeys')
    const { link, expiresAt, passkeys } = await withUsers(environment, async (opened) => {
      const { users, storage, audit, publicUrl } = opened
      const reset = await createPasswordReset({ users, clock: systemClock }, email, { keepsPasskeys })
      const { id: target, email: detail } = reset.user
      for (const { accountId } of await storage.people.memberships(target)) {
        const change = { accountId, action: 'password.reset_link_created', target, detail } as const
        await audit.record(commandRecord('radar user reset-password', change))
      }
      return { link: `${publicUrl.replace(/\/$/, '')}/reset-password/${reset.token}`, ...reset }
    })
    err(`The link is valid until ${expiresAt.toISOString()}. Give it only to the user.\n`)
    if (passkeys > 0) {
      const fate = keepsPasskeys
        ? 'stay'
        : 'are removed when the password is set (--keep-passkeys keeps them)'
      err(`Passkeys of the user: ${passkeys}. They ${fate}.\n`)
    }
    out(`${link}\n`)
    return 0
  },
}
