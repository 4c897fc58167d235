import type { ReactNode } from 'react'
import { bytes } from '../util/bytes.ts'
import { counted, number, percent } from '../util/numbers.ts'

/** Texts of the system page. */

export const systemTexts = {
  page: 'Page',
  title: 'System',
  sections: 'Sections of the system',
  work: 'Stores and queues',
  queues: 'Queues',
  feeds: 'Feeds',
  feedsAbout: 'Failing feeds first',
  sources: 'Fallback and frozen sources',
  sourcesAbout: 'These feeds are still checked. No action is needed.',
  quarantine: 'Quarantine',
  quarantineAbout:
    'Rows of store pages that could not be parsed. The other reviews of these pages were delivered.',
  nodes: 'Nodes',
  settings: 'Settings',
  notReady: 'Not ready',
  installation: (
    version: string,
    nodeVersion: string,
    engine: string,
    schema: number,
    storage: number,
    free: number | null,
    startedAt: ReactNode,
  ) => (
    <>
      Review Radar {version} · Node {nodeVersion} · {engine}, schema {schema} · {bytes(storage)} stored
      {free === null ? '' : `, ${bytes(free)} free`} · Started {startedAt}
    </>
  ),
  isDefault: '(default)',
} as const

export const feedHealthTexts = {
  feed: 'Feed',
  lastResult: 'Last result',
  detail: 'Detail',
  failingSince: 'Failing since',
  rawResponse: 'Raw response',
  empty: 'No feeds yet.',
  label: 'Feeds',
  notChecked: 'Not checked yet',
  download: 'Download',
} as const

export const nodeTexts = {
  label: 'Nodes',
  node: 'Node',
  version: 'Version',
  roles: 'Roles',
  started: 'Started',
  lastHeartbeat: 'Last heartbeat',
  clock: 'Clock',
  inSync: 'In sync',
  ahead: (seconds: string) => `${seconds} s ahead`,
  behind: (seconds: string) => `${seconds} s behind`,
} as const

export const quarantineTexts = {
  latest: (shown: number, total: number) => `Latest ${number(shown)} of ${number(total)} rows. `,
  download: 'Download with raw data',
  label: 'Quarantine',
  feed: 'Feed',
  row: 'Row',
  reason: 'Reason',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
} as const

export const queueTexts = {
  enrichment: 'Awaiting enrichment',
  fanOut: 'Awaiting fan-out',
  pending: 'Pending deliveries',
  held: 'Held deliveries',
  dead: 'Dead letters',
  paused: 'Destinations paused after failures',
  firstDue: 'First due',
} as const

export const sourceTexts = {
  label: 'Sources',
  feed: 'Feed',
  reason: 'Reason',
  since: 'Since',
  frozen: (source: string) => `${source} possibly frozen`,
  fallback: (source: string) => `${source} as fallback`,
} as const

export const storeRateTexts = {
  used: (share: number, max: number) => `${percent(share)} of ${number(max)} requests per minute used`,
  usedLabel: 'Used share of the rate limit',
  blocked: (resume: ReactNode, blocks: number, detail: ReactNode) => (
    <>
      Rate-limited by the store. Checks resume {resume}, after {counted(blocks, 'block')} in a row. {detail}
    </>
  ),
  reviewFeeds: 'Review feeds',
  ratingFeeds: 'Rating feeds',
  feedCounts: (active: number, due: number, failing: number, fallback: ReactNode, frozen: ReactNode) => (
    <>
      {number(active)} active, {number(due)} due, {number(failing)} failing{fallback}
      {frozen}
    </>
  ),
  onFallback: (count: number) => `, ${number(count)} on a fallback source`,
  frozen: (count: number) => `, ${number(count)} possibly frozen`,
} as const
