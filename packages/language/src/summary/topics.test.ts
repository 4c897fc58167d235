import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GRAMMAR, type TableName } from '../language/grammar.ts'
import { loadTables } from '../tables.ts'
import { segment } from '../text/segments.ts'
import { topicsIn } from './topics.ts'

const tables = loadTables()

function topicsOf(text: string, name: TableName) {
  const table = tables.byName.get(name)
  assert.ok(table)
  return topicsIn(table.topicMatcher, segment(text, GRAMMAR[name].apostropheSplits))
}

test('topic detection names the topic of a longer phrase, not of a word in it', () => {
  assert.deepEqual(topicsOf('lire hors connexion', 'fr'), ['offline-use'])
  assert.deepEqual(topicsOf('tudo em câmera lenta', 'pt'), ['freezing'])
  assert.deepEqual(topicsOf('meine E-Mail-Adresse und mein Passwort', 'de'), ['email', 'password'])
})

test('topic detection names no topic for a phrase that only contains its word', () => {
  assert.deepEqual(topicsOf('supprimé par erreur', 'fr'), [])
  assert.deepEqual(topicsOf('cancellato per errore', 'it'), [])
})

test('topic detection tells a watch from the time of day', () => {
  assert.deepEqual(topicsOf('seit 14 Uhr und um 8:30 Uhr', 'de'), [])
  assert.deepEqual(topicsOf('für diese Acme Uhr', 'de'), ['smartwatch'])
  assert.deepEqual(topicsOf("l'appli me montre tout", 'fr'), [])
})
