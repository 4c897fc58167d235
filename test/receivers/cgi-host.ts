import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A minimal CGI server (RFC 3875) that runs a program for each request. */

const [program = ''] = process.argv.slice(2)

createServer(async (request, response) => {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
    String(value),
  ])
  const child = spawn(program, {
    env: {
      ...process.env,
      ...Object.fromEntries(headers),
      REQUEST_METHOD: request.method,
      CONTENT_LENGTH: request.headers['content-length'] ?? '0',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // A program may exit before it has read the body.
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  const [, status = '500'] = /^Status: (\d{3})/.exec(await text(child.stdout)) ?? []
  response.writeHead(Number(status)).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
