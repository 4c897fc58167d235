import { liveNodes } from '../../node/heartbeat.ts'
import { systemClock } from '../../runtime/clock.ts'
import { withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed } from '../command.ts'
import { INSTANT_HELP, instantOption } from '../instant.ts'
import { shownAt } from '../table.ts'

export const enrich: Command = {
  about:
    'Queues stored reviews for enrichment again, e.g. after an upgrade or a change of RADAR_ENRICHMENT. The running service enriches them newest first, after the reviews of pending events. No event is created or changed.',
  options: {
    since: { value: 'TIME', required: true, help: `Reviews published since then: ${INSTANT_HELP}.` },
  },
  async run({ environment, out, err }, args) {
    const now = systemClock.now()
    const since = instantOption(args, 'since', now) ?? now
    await withStorage(environment, async (storage, config) => {
      if (config.enrichment.kind === 'off') {
        throw new CommandFailed(
          'Enrichment is off, so no service would process the queue. Set RADAR_ENRICHMENT to offline or llm, here and for the service.',
        )
      }
      const queued = await storage.occurrences.enrichAgain(since)
      const what = queued === 1 ? 'review' : 'reviews'
      out(`${queued} stored ${what} published since ${shownAt(since)} queued for enrichment.\n`)
      const nodes = await liveNodes(storage.maintenance, now)
      if (queued > 0 && !nodes.some(({ roles }) => roles.includes('enrich'))) {
        err('No node with the role enrich is running. The reviews are enriched when one is started.\n')
      }
    })
    return 0
  },
}
