import { failed } from '../official/failure.ts'
import { changedAnswer, jsonOf } from '../official/send.ts'
import type { GooglePlayCredentials, OfficialContext, OfficialFailure } from '../official.ts'
import { recordOf } from '../parsed.ts'
import { type GooglePlayState, STORAGE } from './deps.ts'
import { ask } from './request.ts'

/** The monthly reports of an app in the bucket of its developer. */

export type Report = {
  readonly name: string
  /** Changes with every write, so that the parts of one version are read. */
  readonly generation: string
  readonly bytes: number
}

/** The name as pasted: `gs://pubsite_prod_rev_0123/reviews/` and `pubsite_prod_rev_0123` are the same bucket. */
export function bucketOf(text: string): string | null {
  const [name = ''] = text
    .trim()
    .replace(/^gs:\/\//i, '')
    .split('/', 1)
  return /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(name) ? name : null
}

/** The reports of an app from `startName` on, oldest month first. `limit` bounds the answer. */
export async function listReports(
  deps: GooglePlayState,
  query: {
    readonly credentials: GooglePlayCredentials
    readonly bucket: string
    readonly appId: string | null
    readonly limit: number
  },
  context: OfficialContext,
): Promise<{ readonly kind: 'ok'; readonly reports: readonly Report[] } | OfficialFailure> {
  const { credentials, bucket, appId, limit } = query
  const prefix = appId === null ? 'reviews/' : `reviews/reviews_${appId}_`
  const reports: Report[] = []
  let token: string | null = null
  do {
    const parameters: URLSearchParams = new URLSearchParams({
      prefix,
      maxResults: String(limit),
      fields: 'items(name,size,generation),nextPageToken',
      ...(token === null ? {} : { pageToken: token }),
    })
    const answer = await ask(
      deps,
      credentials,
      {
        method: 'GET',
        host: 'storage',
        path: `/storage/v1/b/${encodeURIComponent(bucket)}/o?${parameters}`,
        about: { kind: 'bucket', id: bucket },
      },
      context,
    )
    if (answer.kind === 'failed') return answer
    const root = recordOf(jsonOf(answer))
    const items = root?.items ?? []
    if (root === null || !Array.isArray(items))
      return changedAnswer(STORAGE, 'it has no list of files', answer)
    for (const item of items) {
      const report = readReport(item)
      if (report === null) return changedAnswer(STORAGE, 'a file has no name, size or generation', answer)
      // The prefix also fits another app, `com.example.app_2`.
      if (appId === null || /^\d{6}\.csv$/.test(report.name.slice(prefix.length))) reports.push(report)
    }
    const next: unknown = root.nextPageToken
    token = typeof next === 'string' && next !== '' && next !== token ? next : null
  } while (token !== null && reports.length < limit)
  return { kind: 'ok', reports: reports.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

function readReport(item: unknown): Report | null {
  const { name, size, generation } = recordOf(item) ?? {}
  if (typeof name !== 'string' || typeof generation !== 'string') return null
  if (typeof size !== 'string' || !/^\d{1,15}$/.test(size)) return null
  return { name, generation, bytes: Number(size) }
}

/** The bytes of a part of one version of a report; `replaced` when there is a newer version. */
export async function readPart(
  deps: GooglePlayState,
  query: {
    readonly credentials: GooglePlayCredentials
    readonly bucket: string
    readonly report: Report
    readonly offset: number
    readonly bytesMax: number
  },
  context: OfficialContext,
): Promise<{ readonly kind: 'ok'; readonly part: Buffer } | { readonly kind: 'replaced' } | OfficialFailure> {
  const { credentials, bucket, report, offset, bytesMax } = query
  if (report.bytes === 0) return { kind: 'ok', part: Buffer.alloc(0) }
  const last = Math.min(offset + bytesMax, report.bytes) - 1
  const path = `/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(report.name)}`
  const answer = await ask(
    deps,
    credentials,
    {
      method: 'GET',
      host: 'storage',
      path: `${path}?alt=media&ifGenerationMatch=${report.generation}`,
      about: { kind: 'bucket', id: bucket },
      headers: { accept: '*/*', range: `bytes=${offset}-${last}` },
      // A compressed answer would have other ranges.
      gunzip: false,
      bodyBytesMax: bytesMax,
      accepts: [404, 412],
    },
    context,
  )
  if (answer.kind === 'failed') return answer
  // Google replaces the report of the current month every day.
  if (answer.status === 404 || answer.status === 412) return { kind: 'replaced' }
  // Without support for ranges the answer is the whole file, which is as good for its first part.
  const isPart = answer.status === 206 || (answer.status === 200 && offset === 0)
  if (!isPart) {
    return failed(
      'changed',
      `${STORAGE} does not return a part of ${report.name} (status ${answer.status}).`,
      {
        status: answer.status,
      },
    )
  }
  return { kind: 'ok', part: answer.body.subarray(0, last - offset + 1) }
}
