/** Texts of passkeys, on the account page and at sign-in. */

export const passkeyTexts = {
  removeTitle: (name: string) => `Remove ${name}?`,
  removeBody: 'This passkey no longer signs you in. Delete it on your device too.',
  remove: 'Remove',
  removed: (name: string) => `${name} was removed.`,
  title: 'Passkeys',
  about: 'Sign in with your device’s fingerprint, face or PIN, without a password or a code.',
  empty: 'No passkeys yet.',
  addedColumn: 'Added',
  rename: 'Rename',
  added: 'Passkey added.',
  nameLabel: 'Passkey name',
  namePlaceholder: 'My laptop',
  add: 'Add passkey',
  newName: (name: string) => `New name for ${name}`,
  nameMissing: 'Enter a name, such as My laptop',
  signIn: 'Use a passkey',
  noneReturned: 'The browser returned no passkey.',
  alreadyHere: 'This device already has a passkey of yours.',
  dialogClosed: 'No passkey was used: the dialog was closed, or took too long.',
  failed: 'The browser could not use a passkey.',
} as const
