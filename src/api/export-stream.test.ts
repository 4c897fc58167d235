import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { sendExport } from './export.ts'

const PAGES = 200

for (const format of ['csv', 'jsonl'] as const) {
  test(`a download starts before more than a few pages are read (${format})`, async () => {
    let read = 0
    async function* pages() {
      // Like SQLite: each page is there without a turn of the event loop.
      for (; read < PAGES; read += 1) yield [read]
    }
    const table = { columns: ['number'], cellsOf: (row: number) => [row], jsonOf: (row: number) => row }
    await using server = fastify()
    server.get('/', (_request, reply) => sendExport(reply, 'rows', format, table, pages()))
    const answer = await fetch(await server.listen({ host: '127.0.0.1', port: 0 }))
    const rows: number[] = []
    let readAtFirst = PAGES
    for await (const chunk of answer.body ?? []) {
      readAtFirst = Math.min(readAtFirst, read)
      rows.push(...Buffer.from(chunk).toString().matchAll(/^\d+/gm).map(Number))
    }
    assert.equal(rows.length, PAGES)
    assert.ok(readAtFirst < 12, `${readAtFirst} pages were read before the first byte came`)
  })
}
