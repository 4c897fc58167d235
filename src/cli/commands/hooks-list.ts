import { starsOf } from '../../model/decimal.ts'
import type { HookWithWatches, Watch } from '../../model/hook.ts'
import { filterDetailRecord, watchRecord } from '../../operations/hooks/watch-record.ts'
import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { excerpt, JSON_OPTION, jsonLines, shownAt } from '../table.ts'

/** A terminal of 80 columns, without the name. `--json` has whole values. */
const VALUE_CHARS_MAX = 80 - '  account  '.length

export const hooksList: Command = {
  about: 'Lists the hooks of all accounts, oldest first.',
  options: { account: { value: 'ID', help: 'Only hooks of this account.' }, json: JSON_OPTION },
  hint: '"radar hooks list" without --account shows the accounts that have hooks.',
  async run({ environment, out, err }, args) {
    const hooks = await withOperations(environment, (operations) =>
      operations.hooks.list(args.option('account') ?? null),
    )
    if (hooks.length === 0) err('There are no hooks. Create one with the API or the console.\n')
    if (args.isOn('json')) {
      out(jsonLines(hooks.map(recordOf)))
      return 0
    }
    for (const hook of hooks) {
      out(`${hook.id}  ${hook.status}  ${shownAt(hook.createdAt)}\n`)
      out(`  account  ${hook.accountId}\n  target   ${excerpt(hook.targetUrl, VALUE_CHARS_MAX)}\n`)
      for (const watch of hook.watches) out(`  watch    ${excerpt(shownWatch(watch), VALUE_CHARS_MAX)}\n`)
    }
    return 0
  },
}

/** Without its secrets. */
function recordOf(hook: HookWithWatches) {
  return {
    id: hook.id,
    account_id: hook.accountId,
    source: hook.source,
    target_url: hook.targetUrl,
    external_ref: hook.externalRef,
    status: hook.status,
    created_at: hook.createdAt,
    watches: hook.watches.map((watch) => ({ ...watchRecord(watch), ...filterDetailRecord(watch) })),
  }
}

function shownWatch(watch: Watch): string {
  const where = watch.storefronts?.join(' ') ?? 'all'
  return `${watch.store} ${watch.appId} (${where}): ${shownRule(watch)}`
}

function shownRule(watch: Watch): string {
  if (watch.eventType === 'review.created') {
    return `reviews of ${watch.minStars} to ${watch.maxStars} stars${filters(watch)}`
  }
  if (watch.eventType === 'reviews.spiked') {
    const { minReviews, factor } = watch.spike ?? {}
    return `spikes of ${minReviews} negative reviews an hour, ${factor} times the usual`
  }
  return [
    watch.eventType === 'rating.dropped' ? 'rating drops' : 'recoveries of rating drops',
    limit('by', watch.deltaMicros),
    within(watch),
    limit('below', watch.thresholdMicros),
  ].join('')
}

function within({ deltaWindowHours }: Watch): string {
  return deltaWindowHours === null ? '' : ` within ${deltaWindowHours} h`
}

/** The names of its filters; `--json` has their values. */
function filters({ rules }: Watch): string {
  return rules === null ? '' : `, filtered by ${Object.keys(rules).map(words).join(', ')}`
}

/** `isBugReport` as `is bug report`. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function limit(word: string, micros: number | null): string {
  return micros === null ? '' : ` ${word} ${starsOf(micros)}`
}
