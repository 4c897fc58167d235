import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { flood, type RawOptions, response, startRaw } from './raw-server.ts'
import { accepted, type Expected, failing, type Receiver } from './receiver.ts'

/** Bytes of a response body that an attempt stores. */
const BODY_KEPT = 16_384

/** Receivers that send too much, or bytes that are unsafe to store or display. */
export const BODY_RECEIVERS: readonly Receiver[] = [
  raw(
    'endless-chunks',
    {
      answer: (socket) => {
        socket.write(head('transfer-encoding: chunked'))
        flood(socket, () => `10000\r\n${'x'.repeat(65_536)}\r\n`)
      },
    },
    { ...accepted(200), check: keptAndTruncated },
  ),
  raw(
    'endless-length',
    {
      answer: (socket) => {
        socket.write(head('content-length: 9007199254740991'))
        flood(socket, () => 'y'.repeat(65_536))
      },
    },
    { ...accepted(200), check: keptAndTruncated },
  ),
  raw(
    'endless-error-page',
    {
      answer: (socket) => {
        socket.write('HTTP/1.1 500 Oops\r\n\r\n')
        flood(socket, () => '<p>sorry</p>'.repeat(5000))
      },
    },
    { ...failing('http_status', 500), check: keptAndTruncated },
  ),
  raw(
    'chunks-of-one-byte',
    {
      answer: (socket) => {
        socket.write(head('transfer-encoding: chunked'))
        flood(socket, () => '1\r\nz\r\n'.repeat(10_000))
      },
    },
    { ...accepted(200), check: keptAndTruncated },
  ),
  {
    name: 'gzip-bomb-of-50-mib',
    start: () => {
      const bomb = gzipBomb()
      return startRaw({ answer: (socket) => socket.write(bomb) })
    },
    expect: {
      ...accepted(200),
      // Stored compressed, never inflated.
      check: (attempt) => assert.ok(attempt.responseBody.length <= BODY_KEPT && attempt.responseTruncated),
    },
  },
  raw(
    'page-of-60-kb',
    { answer: (socket) => socket.write(response('200 OK', {}, 'p'.repeat(60_000))) },
    {
      ...accepted(200),
      check: keptAndTruncated,
    },
  ),
  raw(
    'header-of-100-kb',
    { answer: (socket) => socket.write(head(`x-a: ${'a'.repeat(100_000)}\r\ncontent-length: 0`)) },
    accepted(200),
  ),
  raw(
    'thousand-headers',
    { answer: (socket) => socket.write(head(`${numbered(1000, 20)}content-length: 0`)) },
    accepted(200),
  ),
  raw(
    'headers-without-end',
    {
      answer: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        flood(socket, () => numbered(1000, 20))
      },
    },
    accepted(200),
  ),
  raw(
    'headers-of-12-kb',
    { answer: (socket) => socket.write(head(`${numbered(100, 110)}content-length: 0`)) },
    {
      ...accepted(200),
      check: (attempt) => {
        const size = Object.entries(attempt.responseHeaders).reduce(
          (sum, [name, value]) => sum + name.length + value.length,
          0,
        )
        assert.ok(size > 4_000 && size <= 8_192, String(size))
        assert.equal(attempt.responseTruncated, true)
      },
    },
  ),
  raw(
    'header-named-proto',
    { answer: (socket) => socket.write(head('__proto__: polluted\r\nconstructor: x\r\ncontent-length: 0')) },
    {
      ...accepted(200),
      check: (attempt) => {
        assert.equal(Object.getPrototypeOf(attempt.responseHeaders), Object.prototype)
        assert.equal(attempt.responseHeaders.constructor, 'x')
      },
    },
  ),
  bytes('body-not-utf-8', Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x62]), 'a\ufffd\ufffd\ufffd(b'),
  bytes('body-of-nuls', Buffer.from('a\0b\0\0c'), 'a\ufffdb\ufffd\ufffdc'),
  bytes(
    'body-with-encoded-surrogates',
    Buffer.from([0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80]),
    '\ufffd'.repeat(6),
  ),
  bytes('body-utf-16', Buffer.from('hi', 'utf16le'), 'h\ufffdi\ufffd'),
  bytes(
    'body-of-a-terminal-attack',
    Buffer.from('\u001b[2J\u001b]0;owned\u0007'),
    '\u001b[2J\u001b]0;owned\u0007',
  ),
]

function raw(name: string, options: RawOptions, expect: Expected): Receiver {
  return { name, expect, start: () => startRaw(options) }
}

/** Accepts with a body that must be recorded as this text, without NULs and lone surrogates. */
function bytes(name: string, body: Buffer, text: string): Receiver {
  return raw(
    name,
    {
      answer: (socket) =>
        socket.write(Buffer.concat([Buffer.from(head(`content-length: ${body.length}`)), body])),
    },
    {
      ...accepted(200),
      check: (attempt) => {
        assert.equal(attempt.responseBody, text)
        assert.ok(attempt.responseBody.isWellFormed() && !attempt.responseBody.includes('\0'))
      },
    },
  )
}

function keptAndTruncated(attempt: {
  readonly responseBody: string
  readonly responseTruncated: boolean
}): void {
  assert.equal(attempt.responseBody.length, BODY_KEPT)
  assert.equal(attempt.responseTruncated, true)
}

function gzipBomb(): Buffer {
  const body = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  return Buffer.concat([Buffer.from(head(`content-encoding: gzip\r\ncontent-length: ${body.length}`)), body])
}

function numbered(count: number, valueChars: number): string {
  return Array.from({ length: count }, (_, i) => `x-${i}: ${'v'.repeat(valueChars)}\r\n`).join('')
}

function head(lines: string): string {
  return `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`
}
