// Receives webhooks of Review Radar with the standard library of Node 20 or later. How to run it: ../README.md

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { link, mkdir, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const BODY_BYTES_MAX = 1_048_576

const secrets = (process.env.HOOK_SECRETS ?? '').split(/\s+/).filter((secret) => secret !== '')
const toleranceS = Number(process.env.TOLERANCE_S ?? 300)
const inbox = process.env.INBOX ?? 'inbox'
const port = Number(process.env.PORT ?? 4040)

/** Whether one of the secrets signed these bytes at most `toleranceS` seconds before or after `nowS`. */
export function verify(body, headers, secrets, nowS, toleranceS) {
  const id = headers['webhook-id'] ?? ''
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowS - Number(timestamp)) > toleranceS) return false
  const signatures = (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3)))
  // During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    const expected = Buffer.from(mac)
    return signatures.some(
      (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
    )
  })
}

/**
 * Writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
 * changes nothing. Another program processes the files. Returns false for a duplicate.
 */
async function store(id, body) {
  const part = join(inbox, `${randomUUID()}.part`)
  await writeFile(part, body, { flush: true })
  try {
    await link(part, join(inbox, `${id}.json`))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(part)
  }
}

async function readBody(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function respond(request) {
  if (request.method !== 'POST') return 405
  const body = await readBody(request)
  if (body === null) return 413
  if (!verify(body, request.headers, secrets, Math.floor(Date.now() / 1000), toleranceS)) return 401
  const id = request.headers['webhook-id']
  if (!/^[0-9a-f]{64}$/.test(id)) return 400
  if (await store(id, body)) console.log('event', id)
  return 204
}

if (secrets.length === 0) throw new Error('HOOK_SECRETS is missing. Set it to the secret of the hook.')
await mkdir(inbox, { recursive: true })
createServer(async (request, response) => {
  const status = await respond(request).catch((error) => {
    console.error(error)
    // The service retries.
    return 500
  })
  response.writeHead(status).end()
}).listen(port, '127.0.0.1')
