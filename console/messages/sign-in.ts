/** Texts of the pages before sign-in: sign-in, setup, invitation and password reset. */

export const signInTexts = {
  passwordMissing: 'Enter your password',
  codeTitle: 'Enter your code',
  title: 'Sign in',
  password: 'Password',
  submit: 'Sign in',
  forgot: 'Forgot password?',
  forgotAnswer:
    'Ask the operator of this installation for a link: the command “radar user reset-password” prints one that works once, for an hour. Review Radar does not mail it, because the e-mail addresses of users are not verified. You can still sign in with a passkey or with your identity provider.',
} as const

export const chooseAccountTexts = {
  title: 'Choose an account',
  about: (email: string) =>
    `${email} belongs to these accounts. You can change the account later in the user menu.`,
  you: 'You',
  signOut: 'Sign out',
} as const

export const signInCodeTexts = {
  code: 'Code',
  codeNote: 'The six digits that your authenticator app shows',
  useBackupCode: 'Use a backup code',
  backupCode: 'Backup code',
  backupCodeNote: 'One of the codes that you saved. Each works once.',
  useCode: 'Use a code from your authenticator app',
  codeMissing: 'Enter the code',
  trust: 'Trust this browser for 30 days',
  trustNote: 'Skips the code here. Do not use it on a shared computer.',
  submit: 'Sign in',
  backToPassword: 'Enter the password again',
} as const

export const providerTexts = {
  signInWith: (name: string) => `Sign in with ${name}`,
  orPassword: 'or with a password',
  cancelled: (name: string) => `You cancelled the sign-in with ${name}.`,
  expired: (name: string) =>
    `The sign-in with ${name} took too long, or was started in another browser. Try again.`,
  providerFailed: (name: string) =>
    `The response from ${name} could not be verified. Try again. If it fails again, ask the operator: the log has the reason.`,
  unverifiedEmail: (name: string) =>
    `Your e-mail address is not verified at ${name}. Verify it there, or open the link of your invitation and sign in there.`,
  wrongDomain: 'E-mail addresses of your domain cannot sign in here. Use the address of your company.',
  unknownUser: (name: string) =>
    `No user here is connected with this ${name} user. If you have a password, sign in with it and connect ${name} on the Account page. Otherwise open your invitation link, or ask an owner to invite you.`,
  otherIdentity: (name: string) => `You are already connected with another ${name} user.`,
  identityTaken: (name: string) => `This ${name} user is already connected with another user here.`,
  connectTitle: (name: string) => `Sign-in with ${name}`,
  connectAbout: (name: string) => `Connect your ${name} user to sign in without a password.`,
  connected: (name: string) => `You can now sign in with ${name}.`,
  connect: (name: string) => `Connect ${name}`,
} as const

export const setupTexts = {
  codeMissing: 'Enter the setup code from the log',
  title: 'Welcome to Review Radar',
  about:
    'Create the first account. Find the setup code in the log of the service: it proves that this installation is yours.',
  code: 'Setup code',
  yourName: 'Your name',
  password: 'Password',
  submit: 'Create account',
} as const

export const acceptTexts = {
  title: 'Accept your invitation',
  titleOf: (account: string) => `Join “${account}”`,
  by: (inviter: string | null, account: string) =>
    inviter === null
      ? `You are invited to the account “${account}”.`
      : `${inviter} invites you to the account “${account}”.`,
  withBy: (by: string | null, about: string) => (by === null ? about : `${by} ${about}`),
  about: 'Choose a name and a password.',
  yourName: 'Your name',
  emailNote: 'Used to sign in. Leave empty to use the invited address.',
  password: 'Password',
  submit: 'Join',
  haveUser: 'Sign in as an existing user',
  joinAbout: (email: string) =>
    `You are signed in as ${email}. Joining adds this account; you keep your other accounts.`,
  join: (name: string) => `Join as ${name}`,
  otherUser: 'Join as another user',
} as const

export const resetTexts = {
  done: 'Password set. Sign in with it.',
  title: 'Set a new password',
  about: 'This signs you out in all browsers.',
  newPassword: 'New password',
  submit: 'Set password',
} as const
