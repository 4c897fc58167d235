import { type JsonParser, jsonParser } from '../bounded-json.ts'
import { jsonEnd, parseJson } from './shape.ts'

/**
 * A Play page has its data in script blocks `AF_initDataCallback({key: 'ds:5', hash: '…', data:[…], …})`. The numbers
 * change between releases; `AF_dataServiceRequests` names the rpc of each block.
 */

/** Blocks, scripts and requests that are read of one page. Real pages have fewer than 100 (recorded); a hostile one of 8 MB had 190,000. */
const PIECES_MAX = 1_000

/** Keys of the blocks of `rpcId`, without duplicates, in the page's order. */
export function blocksOfRpc(page: string, rpcId: string): string[] {
  const start = page.indexOf('AF_dataServiceRequests')
  if (start < 0) return []
  const end = page.indexOf('</script>', start)
  const requests = page.slice(start, end < 0 ? undefined : end)
  const keys = [...requests.matchAll(/'(ds:\d+)'\s*:\s*\{\s*id\s*:\s*'(\w+)'/g).take(PIECES_MAX)]
    .filter((match) => match[2] === rpcId)
    .flatMap((match) => match[1] ?? [])
  return [...new Set(keys)]
}

/**
 * The data of all blocks by key, in the page's order; the first block of a key counts. `undefined` for a block without
 * valid JSON. Reads the page once, even if blocks are never closed.
 */
export function blocksOf(page: string): ReadonlyMap<string, unknown> {
  const blocks = new Map<string, unknown>()
  const parse = jsonParser()
  let scriptEnd = 0
  const heads = /AF_initDataCallback\(\{\s*key\s*:\s*'(ds:\d+)'/g
  for (let count = 0; count < PIECES_MAX; count += 1) {
    const head = heads.exec(page)
    if (head === null) break
    const [, key = ''] = head
    if (scriptEnd < head.index) {
      const found = page.indexOf('</script>', head.index)
      scriptEnd = found < 0 ? page.length : found
    }
    const { data, end } = readBlock(page.slice(head.index, scriptEnd), parse)
    if (!blocks.has(key)) blocks.set(key, data)
    heads.lastIndex = Math.max(heads.lastIndex, head.index + end)
  }
  return blocks
}

/** The data and the end of the block at the start of `script`. An unclosed block extends to the end of the script. */
function readBlock(script: string, parse: JsonParser): { readonly data: unknown; readonly end: number } {
  // `data:` follows the key, hash and error flag. Until 2020-08 it was a function that returned the array.
  const head = /\bdata\s*:\s*(?:function\(\)\s*\{\s*return\s+)?/.exec(script.slice(0, 200))
  if (head === null) return { data: undefined, end: 0 }
  const from = head.index + head[0].length
  if (script[from] !== '[' && script[from] !== '{') return { data: undefined, end: from }
  const end = jsonEnd(script, from)
  if (end === null) return { data: undefined, end: script.length }
  return { data: parseJson(script.slice(from, end), parse), end }
}

/** The `application/ld+json` blocks that Play writes for search engines. */
export function linkedData(page: string): unknown[] {
  const found: unknown[] = []
  const parse = jsonParser()
  // Uses indexOf, because a regular expression would take quadratic time for unclosed tags.
  let at = page.indexOf('<script')
  for (let count = 0; at !== -1 && count < PIECES_MAX; count += 1) {
    const start = page.indexOf('>', at)
    const end = start === -1 ? -1 : page.indexOf('</script>', start)
    if (end === -1) break
    if (/\stype="application\/ld\+json"/.test(page.slice(at, start))) {
      const value = parseJson(page.slice(start + 1, end), parse)
      if (value !== undefined) found.push(value)
    }
    at = page.indexOf('<script', end)
  }
  return found
}
