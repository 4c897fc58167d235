/** Texts that several pages share. */

export const commonTexts = {
  name: 'Name',
  created: 'Created',
  lastUsed: 'Last used',
  never: 'Never',
  on: 'On',
  off: 'Off',
  email: 'E-mail',
  state: 'State',
  copySecret: 'Copy the signing secret now',
  signingSecret: 'signing secret',
  unknown: 'Unknown',
  save: 'Save',
  copied: 'Copied',
  done: 'Done',
  cancel: 'Cancel',
  goToOverview: 'Go to the overview',
  since: 'Since',
  until: 'Until',
  clearFilters: 'Clear filters',
} as const

export const fieldTexts = {
  passwordRule: 'At least 10 characters',
  nameMissing: 'Enter your name',
  emailInvalid: 'Enter a valid e-mail address',
  passwordTooShort: 'Use at least 10 characters',
  codeInvalid: 'Enter the six digits',
  urlInvalid: 'Enter a full URL, such as https://example.com/radar',
  urlScheme: 'Use http or https',
} as const
