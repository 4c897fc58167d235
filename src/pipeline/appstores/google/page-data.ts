import { jsonEnd, parseJson } from './shape.ts'

/**
 * The data of a Play page are in script blocks `AF_initDataCallback({key: 'ds:5', hash: '…', data:[…], …})`. The
 * numbers move between releases; `AF_dataServiceRequests` says which rpc filled which.
 */

/** Keys of the blocks that `rpcId` filled, each once, in the page's order. */
export function blocksOfRpc(page: string, rpcId: string): string[] {
  const start = page.indexOf('AF_dataServiceRequests')
  if (start < 0) return []
  const end = page.indexOf('</script>', start)
  const requests = page.slice(start, end < 0 ? undefined : end)
  const keys = [...requests.matchAll(/'(ds:\d+)'\s*:\s*\{\s*id\s*:\s*'(\w+)'/g)]
    .filter((match) => match[2] === rpcId)
    .flatMap((match) => match[1] ?? [])
  return [...new Set(keys)]
}

/**
 * The data of all blocks by key, in the page's order; of two with one key the first. A block that failed or is no JSON has
 * `undefined`. One pass: no part of the page is read twice, however many blocks are never closed.
 */
export function blocksOf(page: string): ReadonlyMap<string, unknown> {
  const blocks = new Map<string, unknown>()
  let scriptEnd = 0
  const heads = /AF_initDataCallback\(\{\s*key\s*:\s*'(ds:\d+)'/g
  for (let head = heads.exec(page); head !== null; head = heads.exec(page)) {
    const [, key = ''] = head
    if (scriptEnd < head.index) {
      const found = page.indexOf('</script>', head.index)
      scriptEnd = found < 0 ? page.length : found
    }
    const { data, end } = readBlock(page.slice(head.index, scriptEnd))
    if (!blocks.has(key)) blocks.set(key, data)
    heads.lastIndex = Math.max(heads.lastIndex, head.index + end)
  }
  return blocks
}

/** The data of the block that `script` begins with, and where it ends; an unclosed one takes the rest of its script. */
function readBlock(script: string): { readonly data: unknown; readonly end: number } {
  // `data:` comes after the key, hash and error flag; until 2020-08 it was a function that returns the array.
  const head = /\bdata\s*:\s*(?:function\(\)\s*\{\s*return\s+)?/.exec(script.slice(0, 200))
  if (head === null) return { data: undefined, end: 0 }
  const from = head.index + head[0].length
  if (script[from] !== '[' && script[from] !== '{') return { data: undefined, end: from }
  const end = jsonEnd(script, from)
  if (end === null) return { data: undefined, end: script.length }
  return { data: parseJson(script.slice(from, end)), end }
}

/** The `application/ld+json` blocks that Play writes for search engines. */
export function linkedData(page: string): unknown[] {
  const found: unknown[] = []
  // By indexOf, from tag to tag: a regular expression would be quadratic in unclosed tags.
  for (let at = page.indexOf('<script'); at !== -1; at = page.indexOf('<script', at)) {
    const start = page.indexOf('>', at)
    const end = start === -1 ? -1 : page.indexOf('</script>', start)
    if (end === -1) break
    if (/\stype="application\/ld\+json"/.test(page.slice(at, start))) {
      const value = parseJson(page.slice(start + 1, end))
      if (value !== undefined) found.push(value)
    }
    at = end
  }
  return found
}
