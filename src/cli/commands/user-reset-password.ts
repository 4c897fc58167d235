import type { Command } from '../command.ts'
import { sanitize } from '../table.ts'

export const userResetPassword: Command = {
  about:
    'Prints a link that lets a user set a new password. It works once and expires after one hour. The new password ends all sessions of the user, and removes the passkeys and the connection with the identity provider.',
  options: {
    email: { value: 'ADDRESS', required: true, help: 'E-mail address with which the user signs in.' },
    'keep-passkeys': {
      help: 'Keep the passkeys and the connection with the identity provider. Use it only when nobody else can have added one.',
    },
  },
  async run({ environment, out, err }, args) {
    const [{ createPasswordReset }, { commandActor }, { withUsers }, { systemClock }] = await Promise.all([
      import('../../operations/accounts/password-resets.ts'),
      import('../../operations/audit.ts'),
      import('../../service/with-users.ts'),
      import('../../runtime/clock.ts'),
    ])
    const email = args.option('email') ?? ''
    const keepsPasskeys = args.isOn('keep-passkeys')
    const { link, expiresAt, passkeys, accounts } = await withUsers(environment, async (opened) => {
      const { users, storage, audit, publicUrl } = opened
      const reset = await createPasswordReset({ users, clock: systemClock }, email, { keepsPasskeys })
      const { id: target, email: detail } = reset.user
      const by = commandActor('radar user reset-password')
      await audit.recordForUser(target, { ...by, action: 'password.reset_link_created', target, detail })
      const accounts = (await storage.people.memberships(target)).map(({ accountName }) =>
        sanitize(accountName),
      )
      return { link: `${publicUrl.replace(/\/$/, '')}/reset-password/${reset.token}`, accounts, ...reset }
    })
    err(`The link is valid until ${expiresAt.toISOString()}. Give it only to the user.\n`)
    // Somebody else may have taken the address.
    err(`Accounts of the user: ${accounts.join(', ') || 'none'}. The e-mail address is not verified.\n`)
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
