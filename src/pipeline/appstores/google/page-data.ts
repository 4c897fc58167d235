import { jsonEnd, parseJson } from './shape.ts'

/**
 * The data of a Play page lie in script blocks `AF_initDataCallback({key: 'ds:5', hash: '…', data:[…], …})`. The
 * numbers move between releases; `AF_dataServiceRequests` says which rpc filled which.
 */

/** Keys of the blocks that `rpcId` filled, in the page's order. */
export function blocksOfRpc(page: string, rpcId: string): string[] {
  const start = page.indexOf('AF_dataServiceRequests')
  if (start < 0) return []
  const end = page.indexOf('</script>', start)
  const requests = page.slice(start, end < 0 ? undefined : end)
  return [...requests.matchAll(/'(ds:\d+)'\s*:\s*\{\s*id\s*:\s*'(\w+)'/g)]
    .filter((match) => match[2] === rpcId)
    .flatMap((match) => match[1] ?? [])
}

/** Keys of all blocks, in the page's order. */
export function blockKeys(page: string): string[] {
  return [...page.matchAll(/AF_initDataCallback\(\{\s*key\s*:\s*'(ds:\d+)'/g)].flatMap(
    (match) => match[1] ?? [],
  )
}

/** The data of a block; undefined when it is not on the page, failed, or is no JSON. */
export function blockData(page: string, key: string): unknown {
  const start = page.search(new RegExp(`AF_initDataCallback\\(\\{\\s*key\\s*:\\s*'${key}'`))
  if (start < 0) return undefined
  // `data:` comes after the key, hash and error flag; until 2020-08 it was a function that returns the array.
  const head = /\bdata\s*:\s*(?:function\(\)\s*\{\s*return\s+)?/.exec(page.slice(start, start + 200))
  if (head === null) return undefined
  const from = start + head.index + head[0].length
  const end = jsonEnd(page, from)
  return end === null ? undefined : parseJson(page.slice(from, end))
}

/** The `application/ld+json` blocks that Play writes for search engines. */
export function linkedData(page: string): unknown[] {
  return [...page.matchAll(/<script\b[^>]*\btype="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g)]
    .map((match) => parseJson(match[1] ?? ''))
    .filter((value) => value !== undefined)
}
