import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appGroups, type Listing } from './app-groups.ts'

const apple = (name: string, developer: string | null): Listing => ({
  store: 'apple',
  name,
  developer,
})
const google = (name: string, developer: string | null): Listing => ({
  store: 'google',
  name,
  developer,
})
const names = (listings: readonly Listing[]) =>
  appGroups(listings).map((group) => group.map(({ store, name }) => `${store} ${name}`))

test('listings of both stores with the same title and developer are one app', () => {
  for (const [a, b] of [
    [apple('Larkspur', 'Larkspur Works'), google('Larkspur', 'Larkspur Works')],
    [apple('Larkspur: Notes & Tasks', 'Larkspur Works, Inc.'), google('Larkspur - Notes', 'Larkspur Works')],
    [apple('Café Zürich', 'Späti GmbH'), google('Cafe Zurich', 'Spati')],
    [apple('メモ帳', '株式会社例'), google('メモ帳', '株式会社例')],
  ] as const) {
    assert.equal(appGroups([a, b]).length, 1, a.name ?? '')
  }
})

test('a different developer or title, an unknown name, or the same store keeps listings apart', () => {
  for (const [a, b] of [
    [apple('Notes', 'Larkspur Works'), google('Notes', 'Kestrel')],
    [apple('Larkspur Notes', 'Larkspur Works'), google('Larkspur Tasks', 'Larkspur Works')],
    [apple('Larkspur', null), google('Larkspur', null)],
    [apple('???', 'Larkspur Works'), google('!!!', 'Larkspur Works')],
    [apple('Larkspur', 'Larkspur Works'), apple('Larkspur: Pro', 'Larkspur Works')],
  ] as const) {
    assert.equal(appGroups([a, b]).length, 2, a.name ?? '')
  }
})

test('groups keep the order of the listings, and each listing is in one group', () => {
  const listings = [
    apple('B', 'Dev'),
    apple('A', 'Dev'),
    google('A', 'Dev'),
    google('A: Lite', 'Dev'),
    google('B', 'Dev'),
  ]
  assert.deepEqual(names(listings), [['apple B', 'google B'], ['apple A', 'google A'], ['google A: Lite']])
})
