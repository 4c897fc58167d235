import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { answerCalls, usage } from './calls.ts'

/** The reference for deliveries: a loop of signed requests, without storage, guard, retries or logs. */

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const KEY = Buffer.alloc(32, 7)
const EVENT_ID = '0123456789abcdef'.repeat(4)

const agent = new Agent()

async function run(
  urls: readonly string[],
  concurrency: number,
  body: string,
  seconds: number,
): Promise<{ perSecond: number; cpuUs: number }> {
  const untilMs = performance.now() + seconds * 1000
  let sent = 0
  const worker = async (url: string) => {
    while (performance.now() < untilMs) {
      await post(url, body)
      sent += 1
    }
  }
  const before = usage()
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, (_, index) => worker(urls[index % urls.length] ?? '')),
  )
  const tookMs = performance.now() - startedMs
  return { perSecond: (sent / tookMs) * 1000, cpuUs: ((usage().cpuMs - before.cpuMs) / sent) * 1000 }
}

async function post(url: string, text: string): Promise<void> {
  const body = Buffer.from(text)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const standard = createHmac('sha256', KEY).update(`${EVENT_ID}.${timestamp}.`).update(body).digest('base64')
  const answer = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'bare/1',
      'x-radar-event-id': EVENT_ID,
      'x-radar-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      'webhook-id': EVENT_ID,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard}`,
    },
    body,
    dispatcher: agent,
  })
  await answer.body.dump()
}

answerCalls({ run }, () => agent.destroy())
