import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Grouped, isConcrete, problemOf, regroup } from './group.ts'
import { createReviewReader } from './reader.ts'
import type { Report } from './similarity.ts'
import { loadSymptoms } from './symptoms.ts'
import { VECTOR_BYTES } from './vector.ts'

const read = await createReviewReader()
const symptomsIn = loadSymptoms()

async function reportOf(id: string, body: string): Promise<Report> {
  const { report } = await read({ title: null, body, rating: 1, storefront: null, app: null })
  assert.ok(report !== null, body)
  return { id, ...report }
}

const CODE = [
  'I never receive the SMS with the verification code, so I cannot register.',
  'Die SMS mit dem Bestätigungscode kommt nie an, Registrierung unmöglich.',
  "Je ne reçois jamais le SMS avec le code de vérification, impossible de m'inscrire.",
]
const BATTERY = [
  'The app drains my battery, the phone is empty by noon.',
  'Der Akku ist mittags leer, seit die App im Hintergrund läuft.',
  "L'appli vide la batterie de mon téléphone en une demi-journée.",
]

async function placed(texts: readonly string[]): Promise<Grouped[]> {
  const known: Grouped[] = []
  for (const [at, text] of texts.entries()) {
    const report = await reportOf(`r${at}`, text)
    known.push({ report, key: problemOf(report, known, symptomsIn) ?? report.id, pinned: false })
  }
  return known
}

test('reports of two problems in three languages form two groups', async () => {
  const known = await placed(CODE.flatMap((text, at) => [text, BATTERY[at] ?? '']))
  assert.deepEqual(regroup(known, symptomsIn), ['r0', 'r1', 'r0', 'r1', 'r0', 'r1'])
})

test('the groups do not depend on the order of the reviews', async () => {
  const members = async (texts: readonly string[]) => {
    const known = await placed(texts)
    const keys = regroup(known, symptomsIn)
    const texts_ = known.map(({ report }) => report.text)
    return [...new Set(keys)].map((key) => texts_.filter((_, at) => keys[at] === key).sort()).sort()
  }
  const texts = [...CODE, ...BATTERY]
  assert.deepEqual(await members(texts.toReversed()), await members(texts))
})

test('a bare verdict is no report, and a symptom is one', async () => {
  for (const text of ['Nul', 'Totaler Schrott!', 'Love it', '最悪', 'Vergogna'])
    assert.equal(isConcrete(await reportOf('r', text)), false, text)
  for (const text of [...CODE, ...BATTERY]) assert.equal(isConcrete(await reportOf('r', text)), true, text)
})

test('what a person put into a problem stays there, and joins no other pinned problem', async () => {
  const known = (await placed(CODE)).map((each, at) => ({
    ...each,
    key: at === 0 ? 'mine' : 'other',
    pinned: true,
  }))
  assert.deepEqual(regroup(known, symptomsIn), ['mine', 'other', 'other'])
})

test('a group keeps the key that most of its members have', async () => {
  const known = (await placed(CODE)).map((each, at) => ({ ...each, key: at === 0 ? 'r0' : 'old' }))
  assert.deepEqual(regroup(known, symptomsIn), ['old', 'old', 'old'])
})

test('the vector of a review has 384 bytes and is the same at each reading', async () => {
  const [first, second] = [await reportOf('a', CODE[0] ?? ''), await reportOf('a', CODE[0] ?? '')]
  assert.equal(first.vector.byteLength, VECTOR_BYTES)
  assert.deepEqual(first, second)
})

test('a review in a language without word lists is grouped too', async () => {
  const danish = await reportOf('d', 'Jeg modtager aldrig en SMS med koden, så jeg kan ikke registrere mig.')
  assert.equal(problemOf(danish, await placed(CODE), symptomsIn), 'r0')
})

test('a review without words makes no report', async () => {
  const { report } = await read({ title: null, body: '...', rating: 1, storefront: null, app: null })
  assert.equal(report, null)
})
