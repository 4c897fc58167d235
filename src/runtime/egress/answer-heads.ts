import type { Socket } from 'node:net'
import { ConnectError } from './failure.ts'

/**
 * Reads the heads of answers leniently, before undici's strict parser: the receiver did the work, and its status says how it went. Nothing
 * of an answer is forwarded, and a connection with an irregular answer is closed after it, so no other request can get parts of it.
 */

/** Bytes of interim answers (1xx) before the final one. Without a limit a receiver could send them at full speed until the timeout. */
const INTERIM_BYTES_MAX = 65_536

/** What a connection reads of the answer to its present request. */
export class AnswerHeads {
  /** When its first byte came, of an interim answer too; null before. */
  firstByteAt: number | null = null
  /** The status of its status line, also when the rest is not valid; null before. */
  status: number | null = null

  private readonly headBytesMax: number
  private held: Buffer | null = null
  private interimBytes = 0
  private isExpected = false

  /** A head of more bytes is passed on as it is. */
  constructor(socket: Socket, headBytesMax: number) {
    this.headBytesMax = headBytesMax
    const push = socket.push.bind(socket)
    // Node passes all that a socket receives to this method. A stream around the socket would cost more.
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (!this.isExpected) return push(chunk, encoding)
      const heard = chunk === null ? this.atEnd() : this.afterBytes(chunk)
      if (this.interimBytes > INTERIM_BYTES_MAX) {
        socket.destroy(new ConnectError('invalid_response', TOO_MANY_INTERIM))
        return false
      }
      const wantsMore = heard === null || push(heard)
      return chunk === null ? push(null) : wantsMore
    }
  }

  /** Call it before each request. */
  expect(): void {
    this.firstByteAt = null
    this.status = null
    this.held = null
    this.interimBytes = 0
    this.isExpected = true
  }

  /** Returns the bytes to parse; null while the head is incomplete. */
  private afterBytes(chunk: Buffer): Buffer | null {
    this.firstByteAt ??= performance.now()
    let bytes = this.held === null ? chunk : Buffer.concat([this.held, chunk])
    this.held = null
    for (;;) {
      const head = HEAD.exec(bytes.toString('latin1', 0, this.headBytesMax))?.[0]
      if (head === undefined) return this.withoutEnd(bytes)
      const rest = bytes.subarray(head.length)
      if (!INTERIM.test(head)) {
        this.isExpected = false
        this.status = statusOf(head)
        const repaired = repairedHead(head)
        return repaired === null ? bytes : Buffer.concat([repaired, rest])
      }
      this.interimBytes += head.length
      if (rest.length === 0 || this.interimBytes > INTERIM_BYTES_MAX) return null
      bytes = rest
    }
  }

  private withoutEnd(bytes: Buffer): Buffer | null {
    const begun = bytes.toString('latin1', 0, this.headBytesMax)
    if (!INTERIM.test(begun)) this.status = statusOf(begun)
    // Not a status line: the parser says what is wrong.
    const isHead = 'HTTP/'.startsWith(begun.trimStart().slice(0, 5))
    if (isHead && bytes.length < this.headBytesMax) {
      this.held = bytes
      return null
    }
    this.isExpected = false
    return bytes
  }

  /** A script that writes only a status line and ends has answered. An answer that ends inside a line has broken off. */
  private atEnd(): Buffer | null {
    this.isExpected = false
    const head = this.held?.toString('latin1') ?? ''
    return this.status !== null && head.endsWith('\n') ? repairedHead(`${head}\r\n`) : this.held
  }
}

const TOO_MANY_INTERIM = 'The target sent more than 64 KiB of interim responses (1xx) and no final response.'

/** All up to the first empty line. Empty lines before the status line are ignored, as RFC 9112 2.2 asks. */
const HEAD = /^[\r\n]*[^\r\n][\s\S]*?\n\r?\n/
/** A 101 is final: the receiver speaks another protocol from then on. */
const INTERIM = /^[\r\n]*HTTP\/\d(?:\.\d)?[ \t]+1(?!01)\d\d(?![^ \t\r\n])/
const STATUS_LINE = /^[\r\n]*HTTP\/\d(?:\.\d)?[ \t]+(\d{3})(?![^ \t\r\n])([^\r\n]*)\r?\n/
/** What undici's parser accepts: lines that end in CRLF, tokens before the colon, no control characters. */
const REGULAR =
  /^HTTP\/1\.[01] \d{3}(?: [\t -~\x80-\xff]*)?\r\n(?:[!#$%&'*+.^_`|~\w-]+:[\t -~\x80-\xff]*\r\n)*\r\n$/
const FRAMING = /^(?:content-length|transfer-encoding):/gim
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
const NOT_IN_A_VALUE = /[^\t -~\x80-\xff]+/g

function statusOf(head: string): number | null {
  const status = STATUS_LINE.exec(head)?.[1]
  return status === undefined ? null : Number(status)
}

/**
 * The head as a strict parser accepts it, for a connection that is closed after the answer; null if it needs no repair or has no status.
 * A length that cannot be known stays as it is: the parser rejects it, and the status counts.
 */
function repairedHead(head: string): Buffer | null {
  if (REGULAR.test(head) && (head.match(FRAMING)?.length ?? 0) < 2) return null
  const statusLine = STATUS_LINE.exec(head)
  if (statusLine === null) return null
  const fields = fieldsOf(head.slice(statusLine[0].length))
  const isChunked = fields.some(([name]) => name === 'transfer-encoding')
  const lengths = new Set(fields.filter(([name]) => name === 'content-length').map(([, value]) => value))
  const others = fields.filter(([name]) => name !== 'content-length' && name !== 'connection')
  const lines = [
    `HTTP/1.1 ${statusLine[1]}${printable(statusLine[2] ?? '').trimEnd()}`,
    'connection: close',
    ...others.map(([name, value]) => `${name}: ${value}`),
    // RFC 9112 6.3: chunks override a length.
    ...(isChunked ? [] : [...lengths].map((length) => `content-length: ${length}`)),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Names in lower case. A line without a name and a colon is dropped; a folded one continues the line before. */
function fieldsOf(lines: string): (readonly [name: string, value: string])[] {
  return lines
    .replace(/\r?\n[ \t]+(?=[^ \t\r\n])/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':')
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
      return TOKEN.test(name) ? [[name, printable(line.slice(colon + 1)).trim()] as const] : []
    })
}

function printable(text: string): string {
  return text.replace(NOT_IN_A_VALUE, ' ')
}
