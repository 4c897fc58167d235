import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { createGuard } from '../guard.ts'
import { openEgress } from '../open.ts'
import {
  type FromThread,
  type Order,
  sendable,
  sharedNowMs,
  type ThreadOptions,
  type ToThread,
  waited,
} from './wire.ts'

/** The thread of `openEgressThread`: an egress of its own, that takes orders in messages. */

enableCompileCache()

if (parentPort === null) throw new Error('This module is the thread of an egress.')
const port = parentPort
const { userAgent, allowCidrs } = workerData as ThreadOptions
const egress = openEgress({ guard: createGuard({ allowCidrs }), userAgent })
const groups = new Map<number, { readonly controller: AbortController; underWay: number }>()
let answers: FromThread[number][] = []
let underWay = 0

async function run({ id, orderedAtMs, request, group }: Order): Promise<void> {
  underWay += 1
  const waitedMs = Math.max(0, sharedNowMs() - orderedAtMs)
  const signal = group === null ? undefined : join(group)
  const answer = await egress.request({ ...request, signal })
  underWay -= 1
  if (group !== null) leave(group)
  if (answers.length === 0) setImmediate(tell)
  answers.push({ id, answer: waited(sendable(answer), waitedMs) })
}

/** The signal of a group, for one request more. */
function join(group: number): AbortSignal {
  const known = groups.get(group) ?? { controller: new AbortController(), underWay: 0 }
  known.underWay += 1
  groups.set(group, known)
  return known.controller.signal
}

function leave(group: number): void {
  const known = groups.get(group)
  if (known === undefined) return
  known.underWay -= 1
  if (known.underWay === 0) groups.delete(group)
}

function tell(): void {
  const told = answers
  answers = []
  port.postMessage(told satisfies FromThread)
}

port.on('message', async (message: ToThread) => {
  if (message.kind === 'orders') for (const order of message.orders) void run(order)
  if (message.kind === 'interrupt') groups.get(message.group)?.controller.abort()
  if (message.kind === 'close') {
    await egress[Symbol.asyncDispose]()
    while (underWay > 0) await new Promise(setImmediate)
    tell()
    port.close()
  }
})
