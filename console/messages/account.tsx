import type { ReactNode } from 'react'

/** Texts of the account page: tokens, members, invitations, alerts, sessions and the password. */

export const accountTexts = {
  title: 'Account',
  about: (account: string, email: string, role: string) => `${account} · Signed in as ${email} (${role})`,
  stores: 'Stores',
  auditLog: 'Audit log',
  sections: 'Sections of the account',
  members: 'Members',
  tokens: 'API tokens',
  alerts: 'Alerts',
  signIn: 'Your sign-in',
  deletion: 'Delete account',
} as const

export const tokenTexts = {
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeBody: 'Programs that use it lose access at once. Their destinations stay.',
  revoke: 'Revoke',
  revoked: 'Token revoked.',
  title: 'API tokens',
  about: (link: ReactNode) => <>For your programs and automation platforms. {link}</>,
  apiReference: 'API reference',
  copyTitle: (name: string) => `Copy the token “${name}” now`,
  copyNote: 'You cannot see it again: we store only a hash.',
  secretName: 'API token',
  empty: 'No tokens yet.',
  permissions: 'Permissions',
  expires: 'Expires',
  ownersOnly: 'Only owners can create and revoke tokens.',
  fullAccess: 'Full access',
  expired: 'Expired',
  lastUsedFrom: (network: string) => `from ${network}`,
  in30Days: 'In 30 days',
  in90Days: 'In 90 days',
  inOneYear: 'In a year',
  nameLabel: 'Token name',
  namePlaceholder: 'zapier',
  submit: 'Create token',
} as const

export const accountNameTexts = {
  title: 'Account name',
  about: 'Shown to members, in invitations and in alerts.',
  missing: 'Enter a name',
  renamed: (name: string) => `The account is now named “${name}”.`,
} as const

export const memberTexts = {
  role: 'Role',
  joined: 'Joined',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeBody: 'They are signed out and lose access to this account. Everything they created stays.',
  remove: 'Remove',
  removed: (name: string) => `${name} was removed.`,
  roleChanged: (name: string, role: string) => `${name} is now ${role}.`,
  roles: { owner: 'an owner', member: 'a member', viewer: 'a viewer' },
  title: 'Members',
  secondFactor: 'Second factor',
  you: 'You',
  roleOf: (name: string) => `Role of ${name}`,
} as const

export const invitationTexts = {
  copyTitle: (email: string) => `Send this link to ${email}`,
  copyNote: (expiry: ReactNode) => <>You cannot see it again. It works once and expires {expiry}.</>,
  secretName: 'invitation link',
  line: (email: string, role: string, createdAt: ReactNode, expiresAt: ReactNode) => (
    <>
      {email}, invited as {role} {createdAt}, expires {expiresAt}
    </>
  ),
  revoke: 'Revoke',
  revokeTarget: (email: string) => `the invitation for ${email}`,
  emailPlaceholder: 'colleague@example.com',
  role: 'Role',
  submit: 'Create invitation link',
} as const

export const alertTexts = {
  channelWebhook: 'Webhook',
  title: 'Alerts',
  about:
    'Sent when a destination fails or recovers, when a store’s feeds fail or change format, and when a store connection has failed for six hours. At most one alert per cause and hour.',
  sentTo: (recipients: string) => `Sent to ${recipients}.`,
  isOff: 'Alerts are off.',
  ownersOnly: 'Only owners can change this.',
  recent: 'Recent alerts',
  alert: 'Alert',
  channel: 'Channel',
  isOn: 'Alerts are on.',
  testSent: 'Test alert sent. The result appears below.',
  askedAgain: 'Confirmation e-mail sent.',
  unconfirmedTitle: 'Waiting for confirmation',
  unconfirmedNote:
    'These addresses get no alerts until their owners open the link in the confirmation e-mail.',
  unsubscribedTitle: 'Unsubscribed',
  unsubscribedNote: 'These addresses get no alerts until their owners subscribe again.',
  enable: 'Send alerts',
  emails: 'E-mail addresses',
  emailsNote: (max: number) => `Up to ${max}. Press Enter after each.`,
  noMailServer: 'This installation has no mail server. The operator can set RADAR_SMTP_URL.',
  webhookUrl: 'Webhook URL',
  webhookNote: 'Gets each alert as a signed request.',
  copyNote: 'The secret is not shown again. If you lose it, create a new one.',
  submit: 'Save alerts',
  sendTest: 'Send a test alert',
  newSecret: 'Create new secret',
} as const

export const sessionTexts = {
  ended: 'Session ended.',
  othersEnded: 'All other sessions are signed out.',
  title: 'Sessions',
  endOthers: 'Sign out other sessions',
  browser: 'Browser',
  networkAddress: 'Network address',
  signedIn: 'Signed in',
  thisBrowser: 'This browser',
  end: 'Sign out',
  unknownAddress: 'unknown address',
} as const

export const deletionTexts = {
  title: 'Delete account',
  about:
    'Deletes the account with its members, destinations, events, answers and store connections. All access ends at once. This cannot be undone.',
  name: 'Name of the account',
  otherName: 'The name does not match. Enter it exactly as shown.',
  submit: 'Delete account',
} as const

export const passwordTexts = {
  currentMissing: 'Enter your current password',
  changed: 'Password changed. All other sessions are signed out.',
  title: 'Password',
  current: 'Current password',
  new: 'New password',
  submit: 'Change password',
} as const
