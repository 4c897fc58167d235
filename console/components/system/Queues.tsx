import type { SystemView } from '../../../src/contract/console/system.ts'
import { queueTexts } from '../../messages/system.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Instant } from '../../ui/Instant.tsx'

/** The depth of each queue. */
export function Queues({ queues }: { readonly queues: SystemView['queues'] }) {
  const facts = [
    [queueTexts.enrichment, queues.waitingForEnrichment],
    [queueTexts.fanOut, queues.waitingForFanOut],
    [queueTexts.pending, queues.pending],
    [queueTexts.held, queues.held],
    [queueTexts.dead, queues.dead],
    [queueTexts.paused, queues.breakersOpen],
    [queueTexts.firstDue, <Instant key="oldest" at={queues.oldestDueAt} />],
  ] as const
  return <Facts facts={facts} />
}
