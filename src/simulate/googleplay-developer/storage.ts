import { createHash } from 'node:crypto'
import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import { json } from '../official/fault-answer.ts'
import type { ServiceAccount } from '../official/official-world.ts'
import type { World } from '../world.ts'
import { errorAnswer, type GoogleError } from './errors.ts'
import { reportsOf } from './reports.ts'

const FILES = { default: 1_000 } as const

/** Cloud Storage: the list of a bucket, and a file or a range of it. */
export function storageAnswer(
  world: World,
  request: SimulatedRequest,
  url: URL,
  account: ServiceAccount,
  at: Date,
): SimulatedAnswer {
  const found = /^\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(url.pathname)
  const bucket = decodeURIComponent(found?.[1] ?? '')
  const name = found?.[2] === undefined ? null : decodeURIComponent(found[2])
  if (account.bucket !== bucket) {
    return errorAnswer({
      status: 403,
      message: `${account.clientEmail} does not have storage.objects access to the bucket (or it may not exist).`,
      reason: 'forbidden',
    })
  }
  const files = reportsOf(world, bucket, account.appIds, at)
  return name === null ? listAnswer(files, url) : fileAnswer(files.get(name), request, url)
}

function listAnswer(files: ReadonlyMap<string, Buffer>, url: URL): SimulatedAnswer {
  const query = url.searchParams
  const prefix = query.get('prefix') ?? ''
  const count = Number(query.get('maxResults') ?? FILES.default)
  const start = Number(query.get('pageToken') ?? 0)
  const all = [...files].filter(([name]) => name.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1))
  const page = all.slice(start, start + count)
  return json(200, {
    ...(page.length === 0
      ? {}
      : {
          items: page.map(([name, content]) => ({
            name,
            size: String(content.length),
            generation: generationOf(content),
          })),
        }),
    ...(start + count < all.length ? { nextPageToken: String(start + count) } : {}),
  })
}

function fileAnswer(content: Buffer | undefined, request: SimulatedRequest, url: URL): SimulatedAnswer {
  if (content === undefined) return errorAnswer(NO_FILE)
  const wanted = url.searchParams.get('ifGenerationMatch')
  if (wanted !== null && wanted !== generationOf(content)) return errorAnswer(PRECONDITION_FAILED)
  const headers = { 'content-type': 'text/csv; charset=utf-16le', 'x-goog-generation': generationOf(content) }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  if (range === null) return { status: 200, headers, body: content }
  const from = Number(range[1])
  if (from >= content.length) {
    return { status: 416, headers: { 'content-range': `bytes */${content.length}` }, body: '' }
  }
  const to = Math.min(range[2] === '' ? content.length - 1 : Number(range[2]), content.length - 1)
  const contentRange = `bytes ${from}-${to}/${content.length}`
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body: content.subarray(from, to + 1),
  }
}

const NO_FILE: GoogleError = { status: 404, message: 'There is no such object.', reason: 'notFound' }
const PRECONDITION_FAILED: GoogleError = {
  status: 412,
  message: 'A condition of the request is not met.',
  reason: 'conditionNotMet',
}

/** A number, as that of a real file, which changes with its content. */
function generationOf(content: Buffer): string {
  return String(createHash('sha1').update(content).digest().readUIntBE(0, 6))
}
