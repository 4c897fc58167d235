/**
 * The links in mails with which a recipient decides about later ones. A token is sealed: nobody else can make one, and it names no address.
 */

export const MAIL_LINK_PATH = '/unsubscribe'

/** `subscribe`: only in the mail that asks somebody who unsubscribed. `confirm`: only in the first mail to an address. */
export const MAIL_LINK_PURPOSES = ['unsubscribe', 'subscribe', 'confirm'] as const
export type MailLinkPurpose = (typeof MAIL_LINK_PURPOSES)[number]

export type MailLink = {
  readonly purpose: MailLinkPurpose
  readonly accountId: string
  /** Null: the alerts of the account. */
  readonly hookId: string | null
  /** `recipientIdOf` the address. */
  readonly recipient: string
}

/** `seal` distinguishes the tokens from other sealed texts, and those of the purposes from each other, by its owner. */
export function mailLinkUrl(
  publicUrl: string,
  seal: (text: string, owner: string) => string,
  { purpose, accountId, hookId, recipient }: MailLink,
): string {
  const token = seal([accountId, hookId ?? '', recipient].join(' '), purpose)
  return `${publicUrl.replace(/(?<!\/)\/$/, '')}${MAIL_LINK_PATH}/${token}`
}

/** The headers of a mail that a program sends. `unsubscribeUrl`: null without a link. */
export function mailHeaders(unsubscribeUrl: string | null): Readonly<Record<string, string>> {
  return {
    // Programs that answer mail must not answer this one (RFC 3834).
    'auto-submitted': 'auto-generated',
    ...(unsubscribeUrl !== null && { 'list-unsubscribe': `<${unsubscribeUrl}>` }),
    // RFC 8058 requires https.
    ...(unsubscribeUrl?.startsWith('https:') && { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }),
  }
}

/** Null for a text that this service did not seal. */
export function mailLinkOf(open: (sealed: string, owner: string) => string, token: string): MailLink | null {
  for (const purpose of MAIL_LINK_PURPOSES) {
    try {
      const [accountId = '', hookId = '', recipient = ''] = open(token, purpose).split(' ')
      return { purpose, accountId, hookId: hookId || null, recipient }
    } catch {
      // Another purpose, or no token at all.
    }
  }
  return null
}
