import type { SystemView } from '../../../src/contract/console/system.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Instant } from '../../ui/Instant.tsx'

/** The depth of each queue. */
export function Queues({ queues }: { readonly queues: SystemView['queues'] }) {
  const facts = [
    ['Awaiting enrichment', queues.waitingForEnrichment],
    ['Awaiting fan-out', queues.waitingForFanOut],
    ['Pending deliveries', queues.pending],
    ['Held deliveries', queues.held],
    ['Dead letters', queues.dead],
    ['Destinations paused after failures', queues.breakersOpen],
    ['Oldest due', <Instant key="oldest" at={queues.oldestDueAt} />],
  ] as const
  return <Facts facts={facts} />
}
