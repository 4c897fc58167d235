import assert from 'node:assert/strict'
import type { Answer } from './raw-server.ts'
import { response, startRaw } from './raw-server.ts'
import { accepted, type Expected, failing, type Receiver } from './receiver.ts'

/** Receivers with valid HTTP and various statuses. */
export const STATUS_RECEIVERS: readonly Receiver[] = [
  answering('ok-200', () => response('200 OK', {}, 'ok'), {
    ...accepted(200),
    check: (attempt) => assert.equal(attempt.responseBody, 'ok'),
  }),
  answering('created-201-without-length', () => 'HTTP/1.1 201 Created\r\nconnection: close\r\n\r\nmade', {
    ...accepted(201),
    check: (attempt) => assert.equal(attempt.responseBody, 'made'),
  }),
  answering('no-content-204', () => 'HTTP/1.1 204 No Content\r\n\r\n', accepted(204)),
  answering('unknown-success-299', () => response('299 Fine'), accepted(299)),
  answering(
    'early-hints-then-200',
    () => `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${response('200 OK')}`,
    accepted(200),
  ),
  answering('redirect-301', () => response('301 Moved', { location: 'https://example.com/new' }), {
    ...failing('redirect', 301),
    check: (attempt) => assert.equal(attempt.responseHeaders.location, 'https://example.com/new'),
  }),
  answering(
    'redirect-loop-302',
    () => response('302 Found', { location: '/hook' }),
    failing('redirect', 302),
  ),
  answering(
    'redirect-307-to-metadata',
    () => response('307 Temporary Redirect', { location: 'http://169.254.169.254/latest/meta-data/' }),
    failing('redirect', 307),
  ),
  answering('not-modified-304', () => 'HTTP/1.1 304 Not Modified\r\n\r\n', failing('redirect', 304)),
  answering(
    'bad-request-400',
    () => response('400 Bad Request', { 'content-type': 'text/html' }, '<script>alert(1)</script>'),
    {
      ...failing('http_status', 400),
      check: (attempt) => assert.equal(attempt.responseBody, '<script>alert(1)</script>'),
    },
  ),
  answering(
    'unauthorized-401',
    () => response('401 Unauthorized', { 'www-authenticate': 'Basic' }),
    failing('http_status', 401),
  ),
  answering('not-found-404', () => response('404 Not Found'), failing('http_status', 404)),
  answering('gone-410', () => response('410 Gone'), failing('http_status', 410)),
  {
    ...answering('gone-410-from-an-automation-platform', () => response('410 Gone'), {
      attempts: [{ reason: 'http_status', httpStatus: 410 }],
      final: { status: 'dead', reason: 'gone', attempts: 1 },
    }),
    source: 'zapier',
  },
  answering('too-many-429-seconds', () => response('429 Too Many Requests', { 'retry-after': '1' }), {
    ...failing('http_status', 429),
    retryAfterSeconds: 1,
  }),
  answering(
    'too-many-429-date',
    () => response('429 Too Many Requests', { date: httpDate(0), 'retry-after': httpDate(1_000) }),
    { ...failing('http_status', 429), retryAfterSeconds: 1 },
  ),
  answering(
    'too-many-429-garbage',
    () => response('429 Too Many Requests', { 'retry-after': 'soon, I promise' }),
    failing('http_status', 429),
  ),
  answering(
    'too-many-429-forever',
    () => response('429 Too Many Requests', { 'retry-after': '99999999999999999999' }),
    {
      attempts: [{ reason: 'http_status', httpStatus: 429 }],
      final: { status: 'pending', attempts: 1 },
      retryAfterSeconds: 86_400,
    },
  ),
  answering(
    'server-error-500-retry-after',
    // The service obeys Retry-After only for 429 and 503.
    () => response('500 Internal Server Error', { 'retry-after': '3600' }),
    failing('http_status', 500),
  ),
  answering(
    'server-error-500',
    () => response('500 Internal Server Error', {}, 'oops'),
    failing('http_status', 500),
  ),
  answering(
    'unavailable-503-retry-after',
    () => response('503 Service Unavailable', { 'retry-after': '1' }),
    {
      ...failing('http_status', 503),
      retryAfterSeconds: 1,
    },
  ),
  answering('unknown-status-999', () => response('999 What'), failing('http_status', 999)),
  receiver(
    'recovers-at-the-third',
    (socket, number) => socket.write(response(number < 3 ? '500 No' : '200 OK')),
    {
      attempts: [
        { reason: 'http_status', httpStatus: 500 },
        { reason: 'http_status', httpStatus: 500 },
        { reason: null, httpStatus: 200 },
      ],
      final: { status: 'delivered', attempts: 3 },
    },
  ),
  answering(
    'cookies-and-many-small-headers',
    () =>
      `HTTP/1.1 200 OK\r\nset-cookie: session=s3cret\r\nset-cookie: b=2\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 0\r\n\r\n`,
    {
      ...accepted(200),
      check: (attempt) => {
        assert.equal(attempt.responseHeaders['set-cookie'], undefined)
        assert.equal(attempt.responseHeaders['x-a'], '1, 2')
      },
    },
  ),
]

function answering(name: string, text: () => string, expect: Expected): Receiver {
  return receiver(
    name,
    (socket) => {
      const answer = text()
      if (/\r\nconnection: close\r\n/.test(answer)) socket.end(answer)
      else socket.write(answer)
    },
    expect,
  )
}

function receiver(name: string, answer: Answer, expect: Expected): Receiver {
  return { name, expect, start: () => startRaw({ answer }) }
}

function httpDate(fromNowMs: number): string {
  return new Date(Date.now() + fromNowMs).toUTCString()
}
