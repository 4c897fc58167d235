import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow'
import { appValue } from './app'
import { request } from './request'

/** The drop-down of apps: those that the account tracks, and with a search text also those that the stores find. */
export function appProperty(change: Partial<INodeProperties> = {}): INodeProperties {
  return {
    displayName: 'App',
    name: 'app',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The app in its store',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Type to search both stores',
        typeOptions: { searchListMethod: 'searchApps', searchable: true, searchFilterRequired: false },
      },
      {
        displayName: 'By Link',
        name: 'url',
        type: 'string',
        placeholder: 'https://apps.apple.com/us/app/whatsapp-messenger/id310633997',
        validation: [
          {
            type: 'regex',
            properties: {
              regex:
                'https?:\\/\\/((apps|itunes)\\.apple\\.com\\/.*\\bid[0-9]+.*|play\\.google\\.com\\/.*[?&]id=.+)',
              errorMessage: 'Not a link to an app in the App Store or Google Play',
            },
          },
        ],
      },
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: '310633997 or com.whatsapp',
        validation: [
          {
            type: 'regex',
            properties: {
              regex: '((apple|google):)?([0-9]+|[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+)',
              errorMessage: 'Not a number (App Store) or a package name (Google Play)',
            },
          },
        ],
      },
    ],
    ...change,
  }
}

type TrackedApp = {
  readonly store: 'apple' | 'google'
  readonly app_id: string
  readonly name: string | null
  readonly developer: string | null
}
type FoundApps = { readonly data: readonly TrackedApp[] }

const STORE_NAMES = { apple: 'App Store', google: 'Google Play' } as const

/** The service allows few searches per minute, and n8n asks with each typed letter. */
const SEARCH_CHARS_MIN = 3

export async function searchApps(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const text = (filter ?? '').trim()
  const tracked = await request<readonly TrackedApp[]>(this, { method: 'GET', path: '/tracked-apps' })
  const matching = tracked.filter((app) => labelOf(app).toLowerCase().includes(text.toLowerCase()))
  const shown = new Set(matching.map(idOf))
  const found =
    text.length < SEARCH_CHARS_MIN
      ? []
      : (await request<FoundApps>(this, { method: 'GET', path: '/apps/search', query: { q: text } })).data
  return {
    results: [...matching, ...found.filter((app) => !shown.has(idOf(app)))].map((app) => ({
      name: labelOf(app),
      value: idOf(app),
    })),
  }
}

function idOf({ store, app_id }: TrackedApp): string {
  return appValue({ store, appId: app_id })
}

function labelOf({ store, app_id, name, developer }: TrackedApp): string {
  return `${name ?? app_id} (${STORE_NAMES[store]}${developer === null ? '' : `, ${developer}`})`
}
