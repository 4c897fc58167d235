import type { Store } from '../../model/vocabulary.ts'
import type { StoreFailure } from '../appstores/appstore.ts'
import type { PollDeps } from './poll-loop.ts'

/**
 * Backs the store off when one of the failures is a block, for the longest `Retry-After` among them. Returns the
 * milliseconds until the block ends, 0 without a block.
 */
export async function backOff(
  { pace, clock, meter }: Pick<PollDeps, 'pace' | 'clock' | 'meter'>,
  store: Store,
  failures: readonly Pick<StoreFailure, 'kind' | 'detail' | 'retryAfterMs'>[],
): Promise<number> {
  const blocks = failures.filter((failure) => failure.kind === 'blocked')
  const [first] = blocks
  if (first === undefined) return 0
  meter.count('store_blocks_total', { store })
  const retryAfterMs = Math.max(...blocks.map((block) => block.retryAfterMs ?? 0))
  const until = await pace.block(first.detail, retryAfterMs)
  return Math.max(0, until.getTime() - clock.now().getTime())
}
