import { MAIL_LINK_PATH } from '../model/mail-link.ts'

/** The paths whose next part is a secret: of feeds, mails, invitations and password resets. */
const SECRET_PATHS = ['/atom', MAIL_LINK_PATH, '/accept', '/reset-password']
const SECRET_PART = new RegExp(`^(/+(?:${SECRET_PATHS.map((path) => path.slice(1)).join('|')})/).+$`, 'is')

/** A path, decoded, for logs. */
export function maskedPath(path: string): string {
  return path.replace(SECRET_PART, '$1(masked)')
}
