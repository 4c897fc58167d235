import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCleanAnswer } from './clean-answer.ts'
import { keyPathsOf } from './key-paths.ts'

const NAME = 'Zoë Quist 👍🏽'
const feed = {
  feed: {
    entry: [
      { author: { name: { label: NAME } }, 'im:rating': { label: '5' }, id: { label: '14000000001' } },
      { author: { name: { label: '20260101' } }, updated: { label: '2026-11-01T10:00:00-07:00' } },
    ],
  },
}
const page = (script: string) => `<!doctype html><p>${NAME}</p><script id="data">var a = {${script}`

test('a cleaned answer has its shape, stars, dates and versions, and no names, texts and ids', () => {
  const cleaned = createCleanAnswer()(JSON.stringify({ ...feed, version: '1.20.3', [NAME]: 4.5 }))
  assert.deepEqual(Object.keys(JSON.parse(cleaned)), ['feed', 'version', 'xxx xxxxx xx'])
  const [first, second] = JSON.parse(cleaned).feed.entry
  assert.deepEqual([first['im:rating'].label, second.updated.label], ['5', '2026-11-01T10:00:00-07:00'])
  assert.equal(first.author.name.label, 'xxx xxxxx xx')
  assert.match(first.id.label, /^\d{11}$/)
  assert.doesNotMatch(cleaned, /Zo|Quist|14000000001|20260101/)
})

test('a cleaned frame of Google has the same numbers for the same ids, and its names stay', () => {
  const payload = JSON.stringify([
    [['id-1234567', [NAME], 4, null, NAME], ['id-1234567']],
    [null, 'token'],
  ])
  const clean = createCleanAnswer()
  const cleaned = clean(
    `)]}'\n\n99\n${JSON.stringify([
      ['wrb.fr', 'UsvDTd', payload],
      ['di', 20],
    ])}\n25\n[["e",4]]`,
  )
  const [[word, rpc, inner]] = JSON.parse(cleaned.split('\n')[0] ?? '')
  const [[[id, [name], stars], [same]]] = JSON.parse(inner)
  assert.deepEqual([word, rpc, stars, name], ['wrb.fr', 'UsvDTd', 4, 'xxx xxxxx xx'])
  assert.match(id, /^xx-\d{7}$/)
  assert.notEqual(id, 'xx-1234567')
  assert.equal(id, same)
  assert.deepEqual(keyPathsOf(`)]}'\n[[null,"a"],3]`, 9), ['[0][1]: string', '[1]: number'])
})

test('a cleaned page has only the data of its scripts, and cleaned XML only its tags', () => {
  const clean = createCleanAnswer()
  const data = `AF_initDataCallback({key: 'ds:5', data:["${NAME}", {"$kind": "Review"}], sideChannel: {}});</script>`
  const cleaned = clean(`<html><p>${NAME}</p><script nonce="x">${data}`)
  assert.equal(cleaned, 'ds:5: ["xxx xxxxx xx",{"$kind":"Review"}]')
  const xml = `<?xml version="1.0"?><feed><name a="${NAME}">${NAME}</name><im:rating>5</im:rating></feed>`
  assert.equal(
    clean(xml),
    '<?xml version="1.0"?><feed><name a="xxx xxxxx xx">xxx xxxxx xx</name><im:rating>5</im:rating></feed>',
  )
  assert.equal(
    clean(`<?xml version="1.0"?><a b="x > Zoë" c='>"Quist'/>`),
    `<?xml version="1.0"?><a b="x x xxx" c='x"xxxxx'/>`,
  )
  const other = `<?xml version="1.0"?><a b='${NAME}'><![CDATA[${NAME}]]><!-- ${NAME} --></a>`
  for (const text of [NAME, other, page(NAME), `{"a": "${NAME}`, `<!-- ${NAME}`])
    assert.doesNotMatch(clean(text), /Zo|Quist/)
})

test('no value of an answer is in its key paths or in what is left of it', () => {
  const clean = createCleanAnswer()
  const secret = fc.stringMatching(/^Qz[a-z]{6,12}$/)
  const json = fc.letrec((tie) => ({
    node: fc.oneof({ maxDepth: 5 }, secret, fc.double(), tie('list'), tie('object')),
    list: fc.array(tie('node'), { maxLength: 6 }),
    object: fc.dictionary(fc.constantFrom('id', 'title', 'a b', 'label'), tie('node')),
  })).object
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      const nested = JSON.stringify(['wrb.fr', text])
      for (const answer of [text, nested, `)]}'\n${nested}`]) {
        assert.doesNotMatch(clean(answer), /Qz/)
        assert.doesNotMatch(keyPathsOf(answer, 100).join('\n'), /Qz/)
      }
    }),
  )
})
