import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOfflineEngine } from '../engine.ts'
import { describedFeature } from './described.ts'

const enrich = createOfflineEngine()

const asked = (body: string) => {
  const found = enrich({ title: null, body, rating: null, storefront: null })
  return found.is_feature_request ? found.feature_slug : null
}

test('of several features described the one with the most clues counts, of equals the first', () => {
  const known = [
    { slug: 'widget', clues: [['screen'], ['view', 'show']], outdone: [] },
    { slug: 'start-page', clues: [['screen'], ['view']], outdone: [] },
    { slug: 'lock-screen-widget', clues: [['screen'], ['view'], ['lock']], outdone: [] },
  ]
  const slugOf = (...heard: string[]) => describedFeature(new Set(heard), known)?.slug
  assert.equal(slugOf('screen', 'show'), 'widget')
  assert.equal(slugOf('view', 'screen'), 'widget')
  assert.equal(slugOf('lock', 'view', 'screen'), 'lock-screen-widget')
  assert.equal(slugOf('screen', 'lock'), undefined)
  assert.equal(slugOf(), undefined)
})

test('a description is heard across a comma, and with the sentence beside it', () => {
  assert.equal(asked('When I lie in bed, the music should stop by itself.'), 'sleep-timer')
  assert.equal(asked('Abends blendet mich alles. Bitte auch in Schwarz anbieten.'), 'dark-mode')
  assert.equal(
    asked("Pour ne pas devoir ouvrir l'appli, affichez mes tâches sur l'écran d'accueil."),
    'widget',
  )
})

test('a timer that ends the music for sleeping is no timer, though it is called one', () => {
  assert.equal(asked("Un timer che spegne la musica dopo mezz'ora sarebbe bello per dormire"), 'sleep-timer')
})

test('a complaint about what must be done asks for the feature it describes', () => {
  assert.equal(asked('Why must I open the app every time to see my balance?'), 'widget')
})

test('what is praised, fails, was better before the update or is demanded is not asked for', () => {
  for (const body of [
    'Lovely that the music should stop by itself when I lie in bed.',
    'Music should play in the background but the app crashes when the screen is off.',
    'Since the update I must type my password every time instead of using my finger.',
    'Finally fixed: I need not open the app to see my balance on the home screen.',
  ])
    assert.equal(asked(body), null, body)
})
