import { MAIL_LINK_PATH } from '../../../model/mail-link.ts'
import type { Message } from '../../targets/target.ts'
import type { Mask } from './mask.ts'

/** Of a message with one event. */
const BYTES_MAX = 16_384
/** Each delivery of a message with several events stores it. */
const SHARED_BYTES_MAX = 4_096

/**
 * What was sent, for people: the body of a request, or the text form of a mail. Without secrets, and without the links that unsubscribe
 * others.
 */
export function shownMessage(message: Message, mask: Mask, events: number): string {
  const text =
    message.kind === 'mail' ? `Subject: ${message.subject}\n\n${withoutLinks(message.text)}` : message.body
  // Masked before it is cut, so that no half of a secret is stored.
  return cut(mask(text ?? ''), events === 1 ? BYTES_MAX : SHARED_BYTES_MAX)
}

const LINK = new RegExp(`${MAIL_LINK_PATH}/[\\w.-]+`, 'g')

function withoutLinks(text: string): string {
  return text.replaceAll(LINK, `${MAIL_LINK_PATH}/(masked)`)
}

/** Whole characters, which both databases can store. */
function cut(text: string, bytesMax: number): string {
  const storable = text.replaceAll('\0', '\ufffd').toWellFormed()
  if (Buffer.byteLength(storable) <= bytesMax) return storable
  const bytes = Buffer.from(storable).subarray(0, bytesMax)
  return `${new TextDecoder().decode(bytes, { stream: true })}…`
}
