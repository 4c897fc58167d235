import { isLiving } from '../../node/heartbeat.ts'
import { jumpSentence, skewSentence } from '../../node/time/sentences.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, note, ok, problem } from './finding.ts'
import { seconds } from './seconds.ts'

export async function* clockFindings(storage: Storage, skewMs: number): AsyncGenerator<Finding> {
  if (storage.engine === 'postgres') {
    const skew = skewSentence(skewMs, 'this machine')
    yield skew === null
      ? ok('The clock of this machine agrees with that of the database.')
      : problem('clock', skew)
  }
  const state = await storage.time.state()
  const jumped = state === null ? null : jumpSentence(state)
  if (jumped !== null) yield problem('clock jump', jumped)
}

type NodeStorage = { readonly maintenance: Pick<Storage['maintenance'], 'nodes'> }

export async function* nodeFindings(
  storage: NodeStorage,
  clock: Pick<Clock, 'now'>,
): AsyncGenerator<Finding> {
  const now = clock.now()
  const nodes = await storage.maintenance.nodes()
  if (!nodes.some((node) => isLiving(node, now)))
    yield note('no node', 'No node is running: "radar serve" starts one.')
  for (const node of nodes) {
    const what = `The node ${node.id} (version ${node.version}, ${node.roles.join(', ')})`
    const silentMs = now.getTime() - node.seenAt.getTime()
    if (!isLiving(node, now)) {
      yield note(
        `node ${node.id}`,
        `${what} has been silent for ${seconds(silentMs)}: it was killed, or cannot reach the database.`,
      )
      continue
    }
    yield ok(`${what} has been running since ${node.startedAt.toISOString()}.`)
    const skew = skewSentence(node.skewMs ?? 0, `the node ${node.id}`)
    if (skew !== null) yield problem(`clock of ${node.id}`, skew)
  }
}
