const { createHmac, timingSafeEqual } = require('node:crypto')

/** Requests that were signed longer ago are rejected: they may be recorded ones. */
const TOLERANCE_S = 300

/** Whether the headers of Standard Webhooks sign these bytes with the secret of the hook. */
function isSigned({ headers, content }, secret, nowMs = Date.now()) {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (id === undefined || timestamp === undefined || signatures === undefined) return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest('base64')
  const expected = Buffer.from(`v1,${mac}`)
  return signatures.split(' ').some((given) => {
    const bytes = Buffer.from(given)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

/** Zapier names the headers of a raw request `Http-Webhook-Id`. */
function headerOf(headers, name) {
  const entry = Object.entries(headers ?? {}).find(
    ([key]) => key.toLowerCase().replace(/^http-/, '') === name,
  )
  return entry?.[1]
}

module.exports = { isSigned }
