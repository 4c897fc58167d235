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
    failing('invalid_response', null),
  ),
  raw(
    'continues-100-unasked',
    { answer: (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n') },
    failing('invalid_response', null),
  ),
  raw(
    'two-lengths',
    { answer: (socket) => socket.write(`${head('content-length: 2\r\ncontent-length: 3')}abc`) },
    failing('invalid_response', null),
  ),
  raw(
    'length-and-chunks',
    {
      answer: (socket) => socket.write(`${head('content-length: 2\r\ntransfer-encoding: chunked')}0\r\n\r\n`),
    },
    failing('invalid_response', null),
  ),
  raw(
    'bad-chunk-size',
    { answer: (socket) => socket.write(`${head('transfer-encoding: chunked')}zz\r\nhello\r\n`) },
    failing('invalid_response', 200),
  ),
  raw(
    'nul-in-header',
    { answer: (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: 0\r\n\r\n') },
    failing('invalid_response', null),
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
