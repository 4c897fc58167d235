import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { columns, flag, instant, integer, json, named, nullable, sha256, text } from '../columns.ts'
import { all, type Db, get, lock, native, run, sql, type Work, where } from '../work.ts'
import { NOON } from './samples.ts'

/** An empty database, without the tables of the service, and two connections to it. */
export type TestDb = AsyncDisposable & { readonly db: Db; readonly other: Db }

const WORD = columns({
  word: text,
  addedAt: nullable(instant),
  isLong: flag,
  letters: named('letter_count', integer),
  hash: sha256,
})

const HASH = 'ab'.repeat(32)

export function workSuite(open: (createTable: string) => Promise<TestDb>): void {
  const openWords = () =>
    open(`create table words (word text primary key, added_at bigint, is_long integer not null,
      letter_count integer not null, hash bytea not null)`)
  const add = (word: string) =>
    WORD.insert('words', { word, addedAt: NOON, isLong: false, letters: word.length, hash: HASH })
  const words = () => all<{ word: string }>('select word from words order by word')

  describe('units of work', () => {
    it('a unit of work is undone when its body throws', async () => {
      await using test = await openWords()
      const failing = test.db.transaction(function* () {
        yield* add('undone')
        throw new RangeError('stop')
      })
      await assert.rejects(failing, /stop/)
      assert.deepEqual(await test.db.alone(words()), [])
    })

    it('a unit of work gets the error of a statement where it waits for it', async () => {
      await using test = await openWords()
      const body = function* () {
        try {
          yield* run('insert into missing values (?1)', 'a')
        } catch {
          return 'caught'
        }
        return 'done'
      }
      assert.equal(await test.db.alone(body()), 'caught')
    })

    it('several reads see one snapshot', async () => {
      await using test = await openWords()
      const counts = await test.db.snapshot(function* () {
        const before = (yield* words()).length
        yield* native(() => test.other.alone(add('later')))
        return [before, (yield* words()).length]
      })
      assert.deepEqual(counts, [0, 0])
      assert.equal((await test.db.alone(words())).length, 1)
    })

    it('units of work do not mix when they run at the same time', async () => {
      await using test = await openWords()
      const addMissing = (word: string) =>
        test.db.transaction(function* () {
          yield* lock('lock table words in share row exclusive mode')
          if ((yield* words()).length > 0) return false
          yield* add(word)
          return true
        })
      assert.deepEqual((await Promise.all(['a', 'b', 'c'].map(addMissing))).filter(Boolean), [true])
    })

    it('a statement has parameters outside of texts, names and comments', async () => {
      await using test = await openWords()
      const row = await test.db.alone(
        get(`select '?1 it''s ?2' as "?3", cast(?2 as integer) - ?1 as less -- ?4`, 1, 3),
      )
      assert.deepEqual({ ...(row as object) }, { '?3': `?1 it's ?2`, less: 2 })
    })

    for (const list of [[], ['a'], ['it\'s "quoted"', 'b, {c}', '\\']] as const) {
      it(`a statement finds the rows of a list of ${list.length} texts`, async () => {
        await using test = await openWords()
        const found = await test.db.transaction(function* () {
          yield* add('other')
          for (const word of list) yield* add(word)
          return yield* all<{ word: string }>(AMONG, list)
        })
        assert.deepEqual(found.map(({ word }) => word).toSorted(), [...list].toSorted())
      })
    }

    it('a search has only the conditions with a value', async () => {
      await using test = await openWords()
      for (const word of ['a', 'bb', 'cc']) await test.db.alone(add(word))
      const { conditions, values } = where([
        ['letter_count = ?', 2],
        ['added_at > ?', undefined],
        ['hash = ?', null],
        ['word < ?', 'c'],
      ])
      const found = await test.db.alone(WORD.all(`from words where ${conditions}`, ...values))
      assert.deepEqual(
        found.map(({ word }) => word),
        ['bb'],
      )
    })

    it('a statement inserts the elements of a list', async () => {
      await using test = await openWords()
      assert.equal(await test.db.alone(run(EACH, [7, 2 ** 40, -1])), 3)
      const found = await test.db.alone(all<{ at: number }>('select added_at as at from words order by 1'))
      assert.deepEqual(
        found.map(({ at }) => at),
        [-1, 7, 2 ** 40],
      )
    })
  })

  describe('columns', () => {
    it('columns keep what they store', async () => {
      await using test = await openWords()
      const rows = [
        { word: 'a', addedAt: NOON, isLong: true, letters: 1, hash: HASH },
        { word: 'b', addedAt: null, isLong: false, letters: -5, hash: HASH },
      ]
      for (const row of rows) assert.equal(await test.db.alone(WORD.insert('words', row)), 1)
      assert.deepEqual(await test.db.alone(WORD.all('from words order by word')), rows)
      assert.deepEqual(await test.db.alone(WORD.find('from words where word = ?1', 'b')), rows[1])
      assert.equal(await test.db.alone(WORD.find('from words where word = ?1', 'c')), null)
    })

    it('an insert ends with the rest of its statement', async () => {
      await using test = await openWords()
      const insert = (): Work<number> =>
        WORD.insert(
          'words',
          { word: 'a', addedAt: NOON, isLong: true, letters: 1, hash: HASH },
          'on conflict do nothing',
        )
      assert.deepEqual([await test.db.alone(insert()), await test.db.alone(insert())], [1, 0])
    })

    it('columns of an object in an object have the names of both, and change together', async () => {
      await using test = await open(
        'create table visits (id text primary key, client_name text, client_tags text not null, place text not null)',
      )
      const visit = columns({
        id: text,
        client: { name: nullable(text), tags: json<string[]>(), where: named('place', text) },
      })
      const first = { id: 'a', client: { name: 'Alice', tags: ['x'], where: 'here' } }
      const changed = { id: 'a', client: { name: null, tags: [], where: 'there' } }
      await test.db.alone(visit.insert('visits', first))
      await test.db.alone(visit.insert('visits', { ...first, id: 'b' }))
      assert.equal(await test.db.alone(visit.update('visits', changed, 'id = ?1', 'a')), 1)
      assert.deepEqual(await test.db.alone(visit.all('from visits order by id')), [
        changed,
        { ...first, id: 'b' },
      ])
    })

    it('columns refuse an invalid date', async () => {
      await using test = await openWords()
      const addedAt = new Date(Number.NaN)
      const insert = () =>
        test.db.alone(WORD.insert('words', { word: 'a', addedAt, isLong: true, letters: 1, hash: HASH }))
      await assert.rejects(async () => insert(), RangeError)
    })

    it('columns are read with the alias of their table, those of another one with theirs', async () => {
      await using test = await openWords()
      const pair = columns({ word: text, otherWord: named('o.word', text) }, 'w')
      await test.db.alone(add('a'))
      const rest = 'from words w join words o on o.word = w.word'
      assert.deepEqual(await test.db.alone(pair.all(rest)), [{ word: 'a', otherWord: 'a' }])
    })
  })
}

const AMONG = sql((d) => `select word from words where word ${d.among('?1', 'text')} ${d.forUpdate()}`)

const EACH = sql(
  (d) => `insert into words (word, added_at, is_long, letter_count, hash)
    select 'word ' || at, at, 0, 0, '' from ${d.each('?1', 'bigint', 'at')}`,
)
