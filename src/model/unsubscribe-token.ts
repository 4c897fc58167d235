/** The link with which a recipient of mails unsubscribes. Its token is sealed: nobody else can make one, and it names no address. */

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** Distinguishes the tokens from other sealed texts. */
const OWNER = 'unsubscribe'

export type UnsubscribeLink = {
  readonly accountId: string
  readonly hookId: string
  /** `recipientIdOf` the address. */
  readonly recipient: string
}

export function unsubscribeToken(
  seal: (text: string, owner: string) => string,
  { accountId, hookId, recipient }: UnsubscribeLink,
): string {
  return seal([accountId, hookId, recipient].join(' '), OWNER)
}

/** Null for a text that this service did not seal. */
export function unsubscribeLinkOf(
  open: (sealed: string, owner: string) => string,
  token: string,
): UnsubscribeLink | null {
  try {
    const [accountId = '', hookId = '', recipient = ''] = open(token, OWNER).split(' ')
    return { accountId, hookId, recipient }
  } catch {
    return null
  }
}
