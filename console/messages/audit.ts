/** Texts of the audit log. */

export const auditTexts = {
  title: 'Audit log',
  about: 'Sign-ins and changes in your account',
  entries: 'entries',
  ownersOnly: 'Only owners can read the audit log',
  ownersOnlyNote: 'Ask an owner of the account for what you need to know.',
  emptyTitle: 'No entries yet',
  emptyNote: 'An entry appears here when someone signs in or changes something in the account.',
  filter: 'Filter the audit log',
  action: 'Action',
  who: 'Who',
  time: 'Time',
  target: 'Target',
  networkAddress: 'Network address',
} as const
