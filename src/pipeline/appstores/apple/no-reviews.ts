import type { ReviewsPage, Trouble } from '../appstore.ts'
import type { AskDeps, Failed, Host, Turn } from './ask.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import { lookUp } from './lookup.ts'
import { type Meaning, type SourceName, withinDepth } from './source.ts'

/**
 * What it means that no source gave a review. An empty feed alone means nothing: whole networks get one for every app
 * (since 2026-06), and pages vanish for minutes (measured 2026-09). So it is believed only with other witnesses: the
 * web store that shows none either, or another list without reviews of an app that has no rating.
 */

type Nothing = { readonly source: SourceName; readonly means: Meaning; readonly next: number }

/** What the sources asked so far said, in their order. */
export type Findings = { readonly failures: Failed[]; readonly nothings: Nothing[] }

/** Holes in a row that a walk steps over. Chosen: what was measured were holes of one page. */
const HOLES_MAX = 2

/** First page: the feed shows nothing, without claiming that there is something, and the web store has none. */
export function isNone({ nothings }: Findings): boolean {
  const feeds = nothings.filter((one) => isFeed(one.source))
  const webHasNone = nothings.some(
    (one) => one.source === 'web' && (one.means === 'none' || one.means === 'absent'),
  )
  return webHasNone && feeds.length > 0 && feeds.every((one) => one.means !== 'hole')
}

/**
 * Later page: what it is when the walk's own source is past its end and no other contradicts; null when that is not so.
 * The JSON feed's word alone is not enough, since its links are only hints. An empty page of the other sources names no
 * last page, so it may have vanished: it ends the walk, and does not prove that everything was read.
 */
export function storesEnd({ nothings, failures }: Findings, cursor: Cursor): ReviewsPage | null {
  const own = nothings[0]
  if (own === undefined || own.source !== cursor.source) return null
  if (own.source === 'rss' && nothings.length === 1) return null
  if (!nothings.every((one) => one.means === 'end')) return null
  if (isFeed(own.source)) return { kind: 'empty', source: own.source, ...passedOver({ failures }) }
  return {
    kind: 'ok',
    source: own.source,
    reviews: [],
    next: null,
    partial: true,
    ...passedOver({ failures }),
  }
}

/**
 * `gone` when lookup does not know the app; `empty` with two witnesses; else the most telling trouble. A source that
 * blocks us or whose answer changed outranks lookup: nobody can say what it would have shown. Only `gone` stands
 * against a changed answer, unless that holds reviews. Asks lookup only where an answer could decide.
 */
export async function firstPageVerdict(
  deps: AskDeps,
  app: { readonly appId: string; readonly storefront: string },
  findings: Findings,
  closed: ReadonlySet<Host>,
  turn: Turn,
): Promise<ReviewsPage> {
  const { nothings, failures } = findings
  const changed = failures.filter((one) => one.trouble.kind === 'changed')
  const outranked = failures.some((one) => one.trouble.kind === 'blocked' || one.holdsReviews)
  const contradicted = nothings.some((one) => one.means === 'hole')
  if (outranked || contradicted || nothings.length === 0) return mostTelling(findings)
  // A 404 of the web store may mean an app that is gone as well, a list without reviews may not.
  if (isNone(findings) && changed.length === 0 && !nothings.some((one) => one.means === 'absent'))
    return { kind: 'empty', source: 'web', ...passedOver({ failures }) }
  if (closed.has('itunes')) return mostTelling(findings)

  const answer = await lookUp(deps, { appIds: [app.appId], storefront: app.storefront }, turn)
  if (answer.kind === 'failed') {
    return answer.ends === 'visit'
      ? answer.trouble
      : mostTelling({ nothings, failures: [...failures, answer] })
  }
  const found = answer.kind === 'apps' ? answer.apps.get(app.appId) : undefined
  if (found === undefined) {
    const detail = [
      `The App Store of ${app.storefront} has no app ${app.appId}.`,
      ...saidBy({ failures: changed }),
    ]
    const raw = rawOf(changed)
    return { kind: 'gone', source: 'lookup', detail: detail.join(' '), ...(raw === undefined ? {} : { raw }) }
  }
  if (changed.length > 0) return mostTelling(findings)
  const { rating } = found
  if (isNone(findings)) {
    const all = rating.kind === 'failed' ? [...failures, rating] : failures
    return { kind: 'empty', source: 'web', ...passedOver({ failures: all }) }
  }
  if (rating.kind === 'failed') return mostTelling({ nothings, failures: [...failures, rating] })
  // 0 of 0 alone proves nothing (recorded 2020), but it bears out a list without reviews.
  const noneListed = nothings.some((one) => one.means === 'none')
  if (rating.kind === 'not_known' && noneListed)
    return { kind: 'empty', source: 'lookup', ...passedOver({ failures }) }
  return mostTelling(findings)
}

/**
 * The store's end, or a page that vanished, which is stepped over as an `ok` without reviews: what stood on it stays
 * unknown, but the pages after it are not lost with it. At the walk's depth, after two holes, or with its host closed
 * there is nothing to step to.
 */
export function laterPageVerdict(findings: Findings, cursor: Cursor, closed: ReadonlySet<Host>): ReviewsPage {
  const end = storesEnd(findings, cursor)
  if (end !== null) return end
  const own = findings.nothings.find((one) => one.source === cursor.source)
  const next = own === undefined || own.means === 'end' ? null : withinDepth(own.next)
  if (next === null || cursor.holes >= HOLES_MAX || closed.has(hostOf(cursor.source)))
    return mostTelling(findings)
  const cursorAfter = writeCursor({ source: cursor.source, position: next, holes: cursor.holes + 1 })
  return {
    kind: 'ok',
    source: cursor.source,
    reviews: [],
    next: cursorAfter,
    partial: true,
    ...passedOver(findings),
  }
}

/**
 * One trouble out of several: `blocked` first, since the whole store has to back off, then `changed`, since somebody
 * has to act. Its detail names all of them, with the raw answer of a changed one.
 */
export function mostTelling(findings: Findings): Trouble {
  const { failures, nothings } = findings
  const troubles = failures.map((one) => one.trouble)
  const worst =
    troubles.find((one) => one.kind === 'blocked') ?? troubles.find((one) => one.kind === 'changed')
  const waitsMs = troubles.flatMap((one) => one.retryAfterMs ?? [])
  const raw = rawOf(failures)
  return {
    kind: worst?.kind ?? 'unknown',
    source: worst?.source ?? nothings[0]?.source ?? troubles[0]?.source ?? 'rss',
    detail: saidBy(findings).join(' '),
    ...(waitsMs.length === 0 ? {} : { retryAfterMs: Math.max(...waitsMs) }),
    ...(raw === undefined ? {} : { raw }),
  }
}

/** What the sources said that did not serve, for the page of the one that did. */
export function passedOver({ failures, nothings = [] }: Witnesses): {
  readonly passedOver?: readonly Trouble[]
} {
  const empties = nothings.map(
    ({ source, means }): Trouble => ({ kind: 'unknown', source, detail: MEANING[means] }),
  )
  const all = [...failures.map((one) => one.trouble), ...empties]
  return all.length === 0 ? {} : { passedOver: all }
}

type Witnesses = Partial<Findings> & Pick<Findings, 'failures'>

function saidBy({ failures, nothings = [] }: Witnesses): string[] {
  return [
    ...nothings.map((one) => `${one.source}: ${MEANING[one.means]}`),
    ...failures.map(({ trouble }) => `${trouble.source}: ${trouble.detail}`),
  ]
}

function rawOf(failures: readonly Failed[]): string | undefined {
  return failures.find((one) => one.trouble.raw !== undefined)?.trouble.raw
}

const MEANING: Record<Meaning, string> = {
  end: 'nothing, behind its last page.',
  hole: 'an empty page where it says that there are reviews.',
  blank: 'an empty page that proves nothing.',
  none: 'no reviews.',
  absent: 'no such app.',
}

function isFeed(source: SourceName): boolean {
  return source === 'rss' || source === 'rss_xml'
}

function hostOf(source: SourceName): Host {
  return source === 'web' || source === 'page' ? 'web' : 'itunes'
}
