import { parentPort, workerData } from 'node:worker_threads'
import { trustAuthorities } from '../../authorities.ts'
import { giveBackIdleMemory } from '../../idle-memory.ts'
import { createTasks } from '../../tasks.ts'
import { createGuard } from '../guard.ts'
import { openEgress } from '../open.ts'
import {
  type EgressJob,
  type FromThread,
  type Reply,
  sendable,
  sharedNowMs,
  type ThreadOptions,
  type ToThread,
} from './wire.ts'

/** The thread of `openEgressThread`: an egress that gets requests as messages. */

if (parentPort === null) throw new Error('This module is the thread of an egress.')
const port = parentPort
giveBackIdleMemory()
const {
  userAgent,
  allowCidrs,
  proxy,
  proxyNames = [],
  signatureModule,
  authorities,
} = workerData as ThreadOptions
// Each thread has its own list.
if (authorities) trustAuthorities(authorities)
const egress = openEgress({ guard: createGuard({ allowCidrs }), userAgent, proxy, proxyNames })
/** The type of the module is not checked. */
const signer = signatureModule === undefined ? null : ((await import(signatureModule)) as Signer)
const groups = new Map<number, { readonly controller: AbortController; inFlight: number }>()
const tasks = createTasks(Number.POSITIVE_INFINITY, () => {})
let replies: Reply[] = []

async function run({ id, queuedAtMs, request, group }: EgressJob): Promise<void> {
  const waitedMs = Math.max(0, sharedNowMs() - queuedAtMs)
  const signal = group === null ? undefined : join(group)
  let reply: Reply
  try {
    const answer = await egress.request({ ...signed(request), signal })
    reply = { id, kind: 'answer', answer: sendable(answer, waitedMs) }
  } catch (error) {
    reply = { id, kind: 'error', error }
  }
  if (group !== null) leave(group)
  if (replies.length === 0) setImmediate(postReplies)
  replies.push(reply)
}

type Signer = {
  readonly signatureHeaders: (signing: object & { readonly body: Uint8Array }) => Record<string, string>
}

/** The request with the headers of its signatures. */
function signed({ signing, ...request }: EgressJob['request']): EgressJob['request'] {
  if (signing === undefined || signer === null) return request
  // The same bytes are signed and sent.
  const body = Buffer.from(request.body ?? '')
  const headers = { ...request.headers, ...signer.signatureHeaders({ ...signing, body }) }
  return { ...request, headers, body }
}

/** Adds a request to a group. Returns the signal of the group. */
function join(group: number): AbortSignal {
  const known = groups.get(group) ?? { controller: new AbortController(), inFlight: 0 }
  known.inFlight += 1
  groups.set(group, known)
  return known.controller.signal
}

function leave(group: number): void {
  const known = groups.get(group)
  if (known === undefined) return
  known.inFlight -= 1
  if (known.inFlight === 0) groups.delete(group)
}

function postReplies(): void {
  const sent = replies
  replies = []
  port.postMessage(sent satisfies FromThread)
}

port.on('message', async (message: ToThread) => {
  if (message.kind === 'jobs') for (const job of message.jobs) tasks.run(() => run(job))
  if (message.kind === 'interrupt') groups.get(message.group)?.controller.abort()
  if (message.kind === 'close') {
    await egress[Symbol.asyncDispose]()
    await tasks.ended()
    postReplies()
    port.close()
  }
})
