import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { STOREFRONTS, type Storefront } from '../../../model/vocabulary.ts'
import { createOfflineEngine } from './engine.ts'

const enrich = createOfflineEngine()

const read = (body: string, storefront: Storefront | null = 'us', rating: number | null = null) =>
  enrich({ title: null, body, rating, storefront })

test('who tells of lost data asks for no backup, and who asks for one does', () => {
  const lost = read('My notes vanished after it synced to my new phone. No backup, no warning.', 'us', 1)
  assert.deepEqual([lost.is_feature_request, lost.is_bug_report, lost.severity], [false, true, 'high'])
  for (const [body, storefront] of [
    ['機種変更したら記録が全部なくなりました。バックアップもなく、とても困っています。', 'jp'],
    ['Bytte telefon och alla mina anteckningar försvann. Ingen säkerhetskopia fanns.', 'se'],
  ] as const)
    assert.equal(read(body, storefront, 1).is_feature_request, false, body)
  assert.equal(read('No backup anywhere. Please add one.').feature_slug, 'backup')
})

test('who deleted something asks for undo: the loss is the reason', () => {
  assert.equal(
    read("Swiped once and my whole list is gone for good. Where's the undo?", 'us', 2).feature_slug,
    'undo',
  )
  assert.equal(
    read('Sveper man fel är raden borta för gott. Var är ångra-knappen??', 'se', 2).feature_slug,
    'undo',
  )
})

test('wishes for one thing under several names get one slug', () => {
  const slugs = (...bodies: readonly string[]) => new Set(bodies.map((body) => read(body).feature_slug))
  assert.deepEqual(
    slugs('Please add a data export', 'Please add a CSV export', 'Excel export please'),
    new Set(['export']),
  )
  assert.deepEqual(
    slugs('Please add an Apple Watch app', 'Please support Wear OS', 'A smartwatch app would be great'),
    new Set(['watch-app']),
  )
})

test('emoji without a word are in the language of the storefront and say how the writer feels', () => {
  assert.equal(read('😡😡', 'jp').language, 'ja')
  assert.equal(read('😡😡', 'jp').sentiment, 'negative')
  assert.equal(read('❤️❤️', 'br').sentiment, 'positive')
})

test('a fault that was mended or is denied is no bug report', () => {
  for (const [body, storefront] of [
    ['The crash is fixed now, thank you', 'us'],
    ['Never crashes', 'us'],
    ['Der Absturz ist behoben', 'de'],
    ['Le plantage est corrigé, merci', 'fr'],
  ] as const) {
    const found = read(body, storefront)
    assert.equal(found.is_bug_report, false, body)
    assert.equal(found.severity, 'low', body)
    assert.notEqual(found.sentiment, 'negative', body)
  }
})

test('asking for a repair is a bug report and no feature request', () => {
  const found = read('Please fix the login, I cannot sign in')
  assert.equal(found.is_feature_request, false)
  assert.equal(found.is_bug_report, true)
  assert.equal(found.severity, 'medium')
})

test('who leaves for a competitor is severe, who came from one is not', () => {
  const left = read('Too slow, switching to Todoist')
  assert.deepEqual([left.severity, left.competitor_named], ['high', 'Todoist'])
  const came = read('Switched from Todoist and I love it, so much better')
  assert.deepEqual([came.severity, came.competitor_named, came.sentiment], ['low', 'Todoist', 'positive'])
})

test('the stars decide only what the text leaves open', () => {
  assert.equal(read('Crashes every time', 'us', 5).sentiment, 'negative')
  assert.equal(read('Hm', 'us', 1).sentiment, 'negative')
  assert.equal(read('Hm', 'us', 5).sentiment, 'positive')
  assert.equal(read('Hm', 'us', null).sentiment, 'neutral')
})

test('a wish gets the same slug in every language', () => {
  const path = join(import.meta.dirname, '../../../../test/fixtures/enrichment/wishes.tsv')
  const wrong = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => {
      const [slug = '', country, body = ''] = line.split('\t')
      return read(body, STOREFRONTS.find((known) => known === country) ?? null).feature_slug !== slug
    })
  assert.deepEqual(wrong, [])
})

test('wishes that nobody thought of get the same slug in 85 of 100 pairs of languages', () => {
  const path = join(import.meta.dirname, '../../../../test/fixtures/enrichment/wishes-beyond.tsv')
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const slugs = lines.map((line) => {
    const [wish = '', country, body = ''] = line.split('\t')
    const storefront = STOREFRONTS.find((known) => known === country) ?? null
    return { wish, slug: read(body, storefront).feature_slug }
  })
  const pairs = Object.values(Object.groupBy(slugs, ({ wish }) => wish)).flatMap((same = []) =>
    same.flatMap(({ slug }, index) =>
      same.slice(index + 1).map((other) => slug !== null && slug === other.slug),
    ),
  )
  assert.ok(pairs.filter(Boolean).length / pairs.length >= 0.85)
})

test('a wish outside the catalogue gets the same slug whether what it is about stands before or after a comma', () => {
  for (const [body, storefront] of [
    ['Being able to rename them would be great, my albums.', 'us'],
    ['For my albums, it would be great to be able to rename them.', 'us'],
    ['Alben umbenennen, das wäre toll.', 'de'],
    ["Mes albums, j'aimerais pouvoir les renommer.", 'fr'],
  ] as const)
    assert.equal(read(body, storefront).feature_slug, 'rename-album', body)
})

test('a wish outside the catalogue gets a slug that does not change', () => {
  const found = read('Please add a unicorn generator')
  assert.equal(found.is_feature_request, true)
  assert.equal(found.feature_slug, 'unicorn-generator')
  assert.equal(read('PLEASE ADD A UNICORN GENERATOR!!').feature_slug, 'unicorn-generator')
})
