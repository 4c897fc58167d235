import { afterCheckBegan, mayCheck, type SourceHealth } from '../../model/source-health.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Pace, SourcePage } from '../appstores/appstore.ts'
import type { AskedSource } from './compare-sources.ts'
import type { StoreSources } from './store-sources.ts'

/** Empty pages come in groups (C 2026-09: five within a minute), and throttling ends after some minutes. */
const REPEAT_WAIT_MS = 2 * 60_000
/** With 30 % empty pages, fewer than one of 2,000 checks sees no page of an index after these. */
const REPEATS_MAX = 5

type AskDeps = {
  readonly storeSources: Pick<StoreSources, 'change'>
  readonly clock: Pick<Clock, 'sleep'>
  readonly pace: Pace
}

/**
 * The answers of all sources, in the order of the requests; null when stopping. A request is counted before it is made, so that no
 * restart makes more of them.
 *
 * An index whose sources all show an empty page, while another index has reviews, is asked again, at other addresses: nobody can say
 * whether it is frozen. To save requests, a source that is often empty is skipped when another one showed its index.
 */
export async function askSources(
  { storeSources, clock, pace }: AskDeps,
  pages: readonly SourcePage[],
  signal: AbortSignal,
): Promise<readonly AskedSource[] | null> {
  const asked: AskedSource[] = []
  const lastOf = ({ source }: SourcePage) => asked.findLast((one) => one.source === source)
  const isShown = (index: string) => pages.some((page) => indexOf(page) === index && hasReviews(lastOf(page)))

  async function ask(page: SourcePage, isNeeded: (health: SourceHealth) => boolean): Promise<boolean> {
    const { source, newestFirst } = page
    if (!(await claimRequest(storeSources, source, isNeeded))) return false
    asked.push({ source, newestFirst, answer: await page.ask(pace, signal) })
    return true
  }

  async function repeat(index: string): Promise<boolean> {
    // The source that is asked last has most requests left.
    for (const page of pages.filter((one) => indexOf(one) === index).toReversed()) {
      if (isInconclusive(lastOf(page)) && (await ask(page, ({ state }) => state !== 'off'))) return true
    }
    return false
  }

  for (const page of pages) {
    await ask(page, ({ fault }) => fault !== 'empty' || !isShown(indexOf(page)))
    if (signal.aborted) return null
  }
  let hidden = [...new Set(pages.map(indexOf))]
  for (let repeats = 0; repeats < REPEATS_MAX && asked.some(hasReviews); repeats += 1) {
    hidden = hidden.filter((index) => !isShown(index))
    if (hidden.length === 0) break
    await clock.sleep(REPEAT_WAIT_MS, signal)
    const repeated: string[] = []
    for (const index of hidden) {
      if (signal.aborted) return null
      if (await repeat(index)) repeated.push(index)
    }
    hidden = repeated
  }
  return asked
}

function indexOf({ source, index = source }: SourcePage): string {
  return index
}

function hasReviews(asked: AskedSource | undefined): boolean {
  return asked?.answer.kind === 'ok' && asked.answer.reviews.length > 0
}

function isInconclusive(asked: AskedSource | undefined): boolean {
  return asked !== undefined && ['ok', 'empty', 'unknown'].includes(asked.answer.kind) && !hasReviews(asked)
}

async function claimRequest(
  storeSources: AskDeps['storeSources'],
  source: string,
  isNeeded: (health: SourceHealth) => boolean,
): Promise<boolean> {
  let isClaimed = false
  await storeSources.change((records, now) =>
    records.map((record) => {
      if (record.source !== source) return record
      isClaimed = mayCheck(record, now) && isNeeded(record)
      return isClaimed ? { ...record, ...afterCheckBegan(record, 1, now) } : record
    }),
  )
  return isClaimed
}
