import type { ReactNode } from 'react'
import { counted, number } from '../util/numbers.ts'

/** Texts of the second factor, on the account page and where an account requires it. */

export const secondFactorTexts = {
  otherAccount: 'Choose another account',
  codesFile: (codes: string) => `Review Radar: backup codes\n\n${codes}`,
  codesTitle: 'Save the backup codes now',
  codesNote:
    'Each code signs you in once without your phone. The codes are not shown again. Keep them in your password manager.',
  codesLabel: 'Backup codes',
  copyCodes: 'Copy codes',
  downloadCodes: 'Download codes',
  passwordMissing: 'Enter your password',
  password: 'Your password',
  nowRequired: 'Members now need a second factor.',
  nowOptional: 'The second factor is optional now.',
  require: 'Require a second factor',
  requireNote:
    'Members without a second factor must turn it on before they can do anything else. API tokens are not affected.',
  requireFirst: 'Turn on your own second factor first.',
  turnOnTitle: 'Turn on the second factor',
  turnOffTitle: 'Turn off the second factor',
  newCodes: 'New backup codes',
  title: 'Second factor',
  about: 'After the password, sign-in asks for a code from an app on your phone.',
  turnOn: 'Turn on',
  browsersForgotten: 'All browsers ask for a code again.',
  required: 'Your account requires it.',
  codesLeft: (count: number) => `${counted(count, 'backup code')} left`,
  trustedBrowsers: (count: number) =>
    count === 1
      ? '1 trusted browser signs in without a code.'
      : `${number(count)} trusted browsers sign in without a code.`,
  forgetBrowsers: 'Forget trusted browsers',
  turnOff: 'Turn off',
  isOff: 'The second factor is off.',
  turnOffRequired:
    'Your account requires a second factor. You cannot use the console until you turn it on again, for example on a new phone.',
  turnOffNote: 'Your password alone signs you in then. The backup codes stop working.',
  newCodesNote: 'The old backup codes stop working.',
  createCodes: 'Create codes',
  appNeeded: 'You need an app for codes on your phone, such as Google Authenticator, 1Password or Aegis.',
  next: 'Continue',
  scanCode: (link: ReactNode) => <>Scan this with the app, or {link}.</>,
  openHere: 'open it on this device',
  qrLabel: 'QR code of the second factor',
  enterKey: 'Or enter this key in the app:',
  keyName: 'key',
  code: 'Code',
  codeNote: 'The six digits that the app shows',
  pageTitle: 'Turn on a second factor',
  pageAbout: (account: string) => `${account} requires one: a code from an app, after the password.`,
  yourAccount: 'Your account',
  signOut: 'Sign out',
} as const
