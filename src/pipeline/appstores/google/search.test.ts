import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchPage, type WireApp } from '../../../simulate/google/wire.ts'
import { readSearchPage } from './search.ts'

const apps = ['atlas', 'compass', 'globe'].map(
  (name): WireApp => ({
    appId: `com.example.${name}`,
    name: `The ${name}`,
    developer: `Makers of ${name}`,
    iconUrl: `https://play-lh.example/${name}`,
    rating: { average: '4.2', count: 1234 },
  }),
)
const [atlas] = apps as [WireApp, ...WireApp[]]

test('a search returns its apps in order, without ratings that have no count', () => {
  const found = readSearchPage(searchPage('maps', null, apps))
  assert.deepEqual(
    found?.map((app) => app.appId),
    ['com.example.atlas', 'com.example.compass', 'com.example.globe'],
  )
  assert.deepEqual(found?.[0], {
    store: 'google',
    appId: 'com.example.atlas',
    name: 'The atlas',
    developer: 'Makers of atlas',
    iconUrl: 'https://play-lh.example/atlas',
    rating: null,
  })
})

test('the exact match comes first, once, with its rating', () => {
  const found = readSearchPage(searchPage('atlas', { ...atlas, appId: 'com.example.exact' }, apps)) ?? []
  assert.equal(found.length, 4)
  assert.equal(found[0]?.appId, 'com.example.exact')
  assert.deepEqual(found[0]?.rating, { micros: 4_200_000, count: 1234 })
  const again = readSearchPage(searchPage('atlas', atlas, apps)) ?? []
  assert.equal(again.length, 3)
  assert.equal(again[0]?.appId, 'com.example.atlas')
})

test('the block of results is found whatever its number', () => {
  const moved = searchPage('maps', null, apps).replaceAll("'ds:4'", "'ds:11'")
  assert.equal(readSearchPage(moved)?.length, 3)
})

test('an entry without id or name is left out', () => {
  const nameless: WireApp = { ...atlas, appId: 'com.example.nameless', name: '' }
  assert.equal(readSearchPage(searchPage('maps', null, [...apps, nameless]))?.length, 3)
})

test('a page without results is an empty list, a page of another format is null', () => {
  assert.deepEqual(readSearchPage(searchPage('qqq', null, [])), [])
  assert.equal(readSearchPage('<!doctype html><html></html>'), null)
  const reshaped = searchPage('maps', null, apps).replaceAll('data:[[null,', 'data:[[null,null,')
  assert.equal(readSearchPage(reshaped), null)
})

test('the reader never throws for any JSON in the block of results', () => {
  const page = searchPage('maps', null, [])
  const sections = fc.jsonValue().map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(sections, (json) => {
      readSearchPage(page.replace(/data:\[\[null,.*?\]\]\]/s, () => `data:[[null,${json}]]`))
    }),
  )
})
