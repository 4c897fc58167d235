import { createHash } from 'node:crypto'
import type { SimulatedAnswer } from '../answer.ts'
import { json } from '../official/fault-answer.ts'
import { shownAtOf, type World } from '../world.ts'
import { badParameter, errorAnswer } from './errors.ts'
import { pacificTime } from './pacific-time.ts'
import { PUBLIC_ORIGIN } from './reviews.ts'

export type AppVersion = {
  readonly id: string
  readonly appId: string
  readonly name: string
  readonly createdAt: Date
}

/** The versions of an app: its newest one, and those that reviews are of. In no particular order, as Apple documents none. */
export function versionsOf(world: World, appId: string): AppVersion[] {
  const created = new Map<string, Date>()
  const add = (name: string, at: Date) => {
    const known = created.get(name)
    if (known === undefined || at < known) created.set(name, at)
  }
  for (const { reviews } of world.reviewsOfApp({ store: 'apple', appId })) {
    for (const review of reviews) if (review.version !== null) add(review.version, shownAtOf(review))
  }
  const release = world.app({ store: 'apple', appId })?.release
  if (release !== undefined) add(release.version, release.releasedAt)
  return [...created].map(([name, createdAt]) => ({ id: versionId(appId, name), appId, name, createdAt }))
}

export function findVersion(world: World, id: string): AppVersion | null {
  for (const { appId } of world.apps('apple')) {
    const found = versionsOf(world, appId).find((version) => version.id === id)
    if (found !== undefined) return found
  }
  return null
}

const PARAMETERS = [
  'limit',
  'cursor',
  'fields[appStoreVersions]',
  'fields[apps]',
  'filter[platform]',
  'filter[versionString]',
  'filter[appStoreState]',
  'filter[appVersionState]',
  'filter[id]',
]

/** `GET /v1/apps/{id}/appStoreVersions`. It has no `sort`. */
export function versionsAnswer(world: World, appId: string, url: URL): SimulatedAnswer {
  const query = url.searchParams
  const illegal = [...query.keys()].find((name) => !PARAMETERS.includes(name))
  if (illegal !== undefined) return errorAnswer(badParameter(illegal, 'ILLEGAL'))
  const limit = Number(query.get('limit') ?? 50)
  const start = Number(query.get('cursor') ?? 0)
  const wanted = query.get('filter[versionString]')?.split(',')
  const all = versionsOf(world, appId).filter(({ name }) => wanted === undefined || wanted.includes(name))
  const newestAt = Math.max(...all.map(({ createdAt }) => createdAt.getTime()))
  const next = new URL(url)
  next.searchParams.set('cursor', String(start + limit))
  return json(200, {
    data: all.slice(start, start + limit).map(({ id, name, createdAt }) => ({
      type: 'appStoreVersions',
      id,
      attributes: {
        platform: 'IOS',
        versionString: name,
        appVersionState:
          createdAt.getTime() === newestAt ? 'READY_FOR_DISTRIBUTION' : 'REPLACED_WITH_NEW_VERSION',
        createdDate: pacificTime(createdAt),
      },
      links: { self: `${PUBLIC_ORIGIN}/v1/appStoreVersions/${id}` },
    })),
    links: {
      self: `${PUBLIC_ORIGIN}${url.pathname}`,
      ...(start + limit < all.length ? { next: `${PUBLIC_ORIGIN}${next.pathname}${next.search}` } : {}),
    },
    meta: { paging: { total: all.length, limit } },
  })
}

/** A UUID, as those of the real store. */
function versionId(appId: string, name: string): string {
  const hex = createHash('sha256').update(`${appId} ${name}`).digest('hex').slice(0, 32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
