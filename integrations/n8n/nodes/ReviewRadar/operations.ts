import { type IDataObject, type IHttpRequestMethods, tryToParseDateTime } from 'n8n-workflow'
import { type App, NOT_AN_APP, parseApp } from './app'

/** A request of the action node. `list`: how the answer contains rows. */
export type Plan = {
  readonly method: IHttpRequestMethods
  readonly path: string
  readonly query?: IDataObject
  readonly body?: IDataObject
  readonly list?: 'page' | 'array' | 'data'
}

/** Reads parameters of one item. `invalid` throws an error about a parameter. */
export type Parameters = {
  readonly text: (name: string) => string
  readonly object: (name: string) => IDataObject
  /** The zone of the workflow, such as `Europe/Berlin`. */
  readonly timezone: string
  readonly invalid: (message: string) => Error
}

type Operation = (parameters: Parameters) => Plan

/** By resource and operation, as the drop-downs of the node name them. */
export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  app: {
    getAll: () => ({ method: 'GET', path: '/tracked-apps', list: 'array' }),
    search: (p) => ({ method: 'GET', path: '/apps/search', query: { q: p.text('query') }, list: 'data' }),
  },
  deadLetter: {
    getAll: (p) => ({ method: 'GET', path: '/dead-letters', query: deliveryQuery(p), list: 'page' }),
    replay: (p) => ({ method: 'POST', path: '/dead-letters/replay', body: { event_ids: eventIdsOf(p) } }),
    replayAll: (p) => ({ method: 'POST', path: '/replays', body: { filter: deliveryQuery(p) } }),
  },
  rating: {
    getAll: (p) => {
      const { store, appId } = requiredApp(p)
      return {
        method: 'GET',
        path: '/ratings',
        query: { store, app_id: appId, ...queryOf(p, ['country', 'since', 'until']) },
        list: 'page',
      }
    },
  },
  review: {
    get: (p) => ({ method: 'GET', path: `/reviews/${encodeURIComponent(p.text('fingerprint').trim())}` }),
    getAll: (p) => ({ method: 'GET', path: '/reviews', query: reviewQuery(p), list: 'page' }),
    reply: (p) => ({
      method: 'PUT',
      path: `/reviews/${encodeURIComponent(p.text('fingerprint').trim())}/reply`,
      body: { text: p.text('replyText') },
    }),
  },
  statistics: {
    get: (p) => ({
      method: 'GET',
      path: '/stats',
      query: {
        ...appQuery(p),
        interval: p.text('interval'),
        ...queryOf(p, ['country', 'since', 'until']),
      },
    }),
  },
}

const REVIEW_FIELDS = [
  'answer',
  'assignee',
  'country',
  'status',
  'tag',
  'language',
  'sentiment',
  'severity',
  'theme',
  'app_version',
  'feature_slug',
  'is_bug_report',
  'is_feature_request',
  'text',
  'since',
  'until',
] as const

function reviewQuery(p: Parameters): IDataObject {
  const { stars } = p.object('filters')
  return {
    ...appQuery(p),
    ...(Array.isArray(stars) && stars.length > 0 ? { stars: stars.join(',') } : {}),
    ...queryOf(p, REVIEW_FIELDS),
  }
}

function deliveryQuery(p: Parameters): IDataObject {
  return { ...appQuery(p), ...queryOf(p, ['hook_id', 'event_type', 'reason', 'since', 'until']) }
}

/** The filters with these names that have a value. */
function queryOf(p: Parameters, names: readonly string[]): IDataObject {
  const filters = p.object('filters')
  const query: IDataObject = {}
  for (const name of names) {
    const value = filters[name]
    if (value === undefined || value === null || value === '') continue
    query[name] = name === 'since' || name === 'until' ? instant(p, name, value) : value
  }
  return query
}

/** Dates of n8n may lack the zone, which the service requires: they are in that of the workflow. */
function instant(p: Parameters, name: string, value: unknown): string {
  let date: string | null = null
  try {
    date = tryToParseDateTime(typeof value === 'number' ? new Date(value) : value, p.timezone)
      .toUTC()
      .toISO()
  } catch {
    // It is neither a date nor a text with one.
  }
  if (date === null) throw p.invalid(`${name} must be a date and time: ${String(value)} is not`)
  return date
}

function appQuery(p: Parameters): IDataObject {
  const text = p.text('app')
  if (text === '') return {}
  const { store, appId } = appOf(p, text)
  return { store, app_id: appId }
}

function requiredApp(p: Parameters): App {
  return appOf(p, p.text('app'))
}

function appOf(p: Parameters, text: string): App {
  const app = parseApp(text)
  if (app === null) throw p.invalid(NOT_AN_APP)
  return app
}

function eventIdsOf(p: Parameters): string[] {
  const ids = p.text('eventIds').split(/[\s,]+/)
  return ids.filter((id) => id !== '')
}
