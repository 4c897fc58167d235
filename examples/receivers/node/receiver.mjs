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

/** True if one of the secrets signed these bytes at most `toleranceS` seconds from `nowS`. */
export function verify(body, headers, secrets, nowS, toleranceS) {
  const id = headers['webhook-id'] ?? ''
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowS - Number(timestamp)) > toleranceS) return false
  const given = (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3)))
  // During a rotation there is a signature for each valid secret, and there may be several secrets here.
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    const wanted = Buffer.from(mac)
    return given.some((signature) => signature.length === wanted.length && timingSafeEqual(signature, wanted))
  })
}

/**
 * Stores an event before it is acknowledged, as a file of its id: one that comes again changes nothing, and a crash
 * loses nothing. Another program works on the files; false when there was one.
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

async function answer(request) {
  if (request.method !== 'POST') return 405
  const body = await readBody(request)
  if (body === null) return 413
  if (!verify(body, request.headers, secrets, Math.floor(Date.now() / 1000), toleranceS)) return 401
  const id = request.headers['webhook-id']
  if (!/^[0-9a-f]{64}$/.test(id)) return 400
  if (await store(id, body)) console.log('event', id)
  return 204
}

if (secrets.length === 0) throw new Error('HOOK_SECRETS is missing: the secret of the hook, or several.')
await mkdir(inbox, { recursive: true })
createServer(async (request, response) => {
  const status = await answer(request).catch((error) => {
    console.error(error)
    // The service tries again.
    return 500
  })
  response.writeHead(status).end()
}).listen(port, '127.0.0.1')
