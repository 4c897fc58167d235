import assert from 'node:assert/strict'
import { drip, flood, type RawOptions, reset, response, startRaw } from './raw-server.ts'
import { accepted, type Expected, failing, type Receiver } from './receiver.ts'

/** Receivers that hang, drop the connection, or violate HTTP. */
export const BROKEN_RECEIVERS: readonly Receiver[] = [
  raw('reset-at-connection', { onConnection: reset }, { ...failing('reset', null), reached: 0 }),
  raw(
    'close-at-connection',
    { onConnection: (socket) => socket.end() },
    { ...failing('reset', null), reached: 0 },
  ),
  raw('reset-before-headers', { answer: reset }, failing('reset', null)),
  raw('close-before-headers', { answer: (socket) => socket.end() }, failing('reset', null)),
  raw(
    'close-inside-headers',
    { answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-') },
    failing('reset', null),
  ),
  raw(
    'close-inside-body',
    { answer: (socket) => socket.end(`${head('content-length: 100')}only this`) },
    failing('reset', 200),
  ),
  raw(
    'reset-inside-body',
    {
      answer: (socket) => {
        socket.write(`${head('content-length: 100')}only this`)
        setTimeout(() => reset(socket), 50)
      },
    },
    failing('reset', 200),
  ),
  raw(
    'close-inside-chunks',
    { answer: (socket) => socket.end(`${head('transfer-encoding: chunked')}5\r\nhello\r\n`) },
    failing('reset', 200),
  ),
  raw(
    'answers-early-then-closes',
    { onFirstByte: (socket) => socket.end(response('413 Too Large', { connection: 'close' })) },
    failing('http_status', 413),
  ),
  raw('hangs-before-headers', { answer: () => {} }, failing('timeout_headers', null)),
  raw(
    'hangs-inside-headers',
    { answer: (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: ') },
    failing('timeout_headers', null),
  ),
  raw(
    'hangs-inside-body',
    { answer: (socket) => socket.write(`${head('content-length: 5')}hel`) },
    failing('timeout_total', 200),
  ),
  raw(
    'drips-headers',
    { answer: (socket) => dripText(socket, `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(5000)}`) },
    failing('timeout_headers', null),
  ),
  raw(
    'drips-body',
    {
      answer: (socket) => {
        socket.write(head('content-length: 100000'))
        drip(socket, 20, () => 'x')
      },
    },
    failing('timeout_total', 200),
  ),
  raw(
    'announces-102-forever',
    { answer: (socket) => flood(socket, () => 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)) },
    failing('invalid_response', null),
  ),
  raw(
    'not-http',
    { answer: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n') },
    failing('invalid_response', null),
  ),
  raw(
    'http-0.9',
    { answer: (socket) => socket.end('<html>hello</html>') },
    failing('invalid_response', null),
  ),
  raw(
    'switches-protocol-101',
    {
      answer: (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    },
    failing('http_status', 101),
  ),
  raw(
    'continues-100-unasked',
    { answer: (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n') },
    failing('timeout_headers', null),
  ),
  raw(
    'continues-100-in-pieces-then-answers',
    {
      answer: (socket) => {
        const text = `${'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50)}${response('201 Made', {}, 'ok')}`
        for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) socket.write(piece)
      },
    },
    answered(201, 'ok'),
  ),
  ...irregular({
    'lines-that-end-in-lf': 'HTTP/1.1 200 OK\nx-a: 1\ncontent-length: 2\n\nok',
    'no-version-1': 'HTTP/2 200 OK\r\ncontent-length: 2\r\n\r\nok',
    'folded-header': 'HTTP/1.1 200 OK\r\nx-a: 1\r\n  and more\r\ncontent-length: 2\r\n\r\nok',
    'blank-before-the-colon': 'HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\nok',
    'line-without-a-colon': 'HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 2\r\n\r\nok',
    'equal-lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nContent-Length: 2\r\n\r\nok',
    'length-and-chunks':
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'nul-in-header': 'HTTP/1.1 200 OK\r\nx-a: a\0b\x01\r\ncontent-length: 2\r\n\r\nok',
    'status-text-with-a-control-character': 'HTTP/1.1 200 O\x07K\r\ncontent-length: 2\r\n\r\nok',
    'blank-lines-before-the-status': '\r\n\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
  }),
  raw('status-line-alone', { answer: (socket) => socket.end('HTTP/1.1 200 OK\n') }, accepted(200)),
  raw(
    'irregular-503',
    { answer: (socket) => socket.write('HTTP/1.1 503 Busy\nretry-after : 1\ncontent-length: 4\n\nbusy') },
    { ...failing('http_status', 503), retryAfterSeconds: 1 },
  ),
  raw(
    'two-lengths',
    { answer: (socket) => socket.write(`${head('content-length: 2\r\ncontent-length: 3')}abc`) },
    answered(200, ''),
  ),
  raw(
    'empty-length',
    { answer: (socket) => socket.write(`${head('content-length:')}ok`) },
    answered(200, ''),
  ),
  raw(
    'bad-chunk-size',
    { answer: (socket) => socket.write(`${head('transfer-encoding: chunked')}zz\r\nhello\r\n`) },
    answered(200, ''),
  ),
  raw(
    'bad-chunk-size-of-500',
    {
      answer: (socket) =>
        socket.write('HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n'),
    },
    failing('http_status', 500),
  ),
  raw(
    'body-longer-than-length',
    { answer: (socket) => socket.write(`${response('200 OK', {}, 'ok')}and more`) },
    accepted(200),
  ),
  raw(
    'answers-twice',
    { answer: (socket) => socket.write(response('200 OK') + response('500 Not for you')) },
    {
      attempts: [
        { reason: null, httpStatus: 200 },
        { reason: null, httpStatus: 200 },
      ],
      final: { status: 'delivered', attempts: 1 },
    },
  ),
  raw(
    'drops-every-kept-connection',
    {
      // The keep-alive race: the receiver closes an idle connection while a request arrives.
      answer: keptOnce(),
    },
    {
      attempts: [
        { reason: 'http_status', httpStatus: 500 },
        { reason: null, httpStatus: 200 },
      ],
      final: { status: 'delivered', attempts: 2 },
      reached: 3,
    },
  ),
]

function raw(name: string, options: RawOptions, expect: Expected): Receiver {
  return { name, expect, start: () => startRaw(options) }
}

/** Answers that violate HTTP and whose body is certain nevertheless. */
function irregular(answers: Readonly<Record<string, string>>): Receiver[] {
  return Object.entries(answers).map(([name, text]) =>
    raw(name, { answer: (socket) => socket.write(text) }, answered(200, 'ok')),
  )
}

function answered(httpStatus: number, body: string): Expected {
  return { ...accepted(httpStatus), check: (attempt) => assert.equal(attempt.responseBody, body) }
}

/** Fails the first request, resets the connection of the second, accepts the third. */
function keptOnce(): NonNullable<RawOptions['answer']> {
  return (socket, number) => {
    if (number === 1) socket.write(response('500 No'))
    else if (number === 2) reset(socket)
    else socket.write(response('200 OK'))
  }
}

function head(lines: string): string {
  return `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`
}

function dripText(socket: Parameters<typeof drip>[0], text: string): void {
  let at = 0
  drip(socket, 20, () => text[at++] ?? 'a')
}
