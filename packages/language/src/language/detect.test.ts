import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Storefront } from '../../../../src/model/vocabulary.ts'
import { loadTables } from '../tables.ts'
import { normalize } from '../text/normalize.ts'
import { segment } from '../text/segments.ts'
import { detectLanguage } from './detect.ts'
import { loadNgrams } from './ngrams.ts'

const deps = { ngrams: loadNgrams(), ...loadTables() }

function languageOf(text: string, storefront: Storefront | null): string {
  const whole = normalize(text)
  const words = segment(whole, false).flatMap(({ tokens }) => tokens.map(({ folded }) => folded))
  return detectLanguage(whole, words, storefront, deps).language
}

test('usual reviews of one to three words are in the language of their storefront', () => {
  const usual: readonly (readonly [Storefront, string, string])[] = [
    ['de', 'de', 'Super|Top|Naja|Mega|Geht so|Prima App|Katastrophe mit Ansage|Läuft super|Müll|Weiter so'],
    ['fr', 'fr', 'Super|Top|Bof|Nul|Impeccable|Pas mal|Au top|Trop de pub|Moyen|Arnaque'],
    ['es', 'es', 'Genial|Buena app|Súper|Regular|Está bien|No sirve|Me encanta|Hermoso|Bueno|Mala'],
    ['it', 'it', 'Pessima|Top|Ottima|Utile|Carina|Così così|Bella app|Grande|Comoda|Da provare'],
    ['nl', 'nl', 'Super|Top app|Beste app|Leuk spel|Matig|Te duur|Werkt niet|Aanrader|Mooi|Handig'],
    ['se', 'sv', 'Super|Bra|Kanon|Kul spel|Sådär|Toppen|Grymt bra|Dålig|Okej|Kalas'],
    ['br', 'pt', 'Péssimo|Top demais|Show|Legal|Nota 10|Lixo|Bom demais|Bacana|Amei|Boa'],
    ['us', 'en', 'Super|Great|Meh|Ok|Cool|Scam|Useless|Not bad|Fun game|Nice'],
  ]
  for (const [storefront, language, texts] of usual)
    for (const text of texts.split('|')) assert.equal(languageOf(text, storefront), language, text)
})

test('a short review in another language than that of its storefront is in its own', () => {
  for (const [storefront, text, language] of [
    ['de', 'Very good app', 'en'],
    ['se', 'Great game, lots of fun', 'en'],
    ['us', 'Muy buena aplicación, la uso todos los días', 'es'],
    ['ca', 'Très bien', 'fr'],
    ['nl', 'Funktioniert leider nicht mehr', 'de'],
  ] as const)
    assert.equal(languageOf(text, storefront), language, text)
})

test('a language without word lists has its own code', () => {
  for (const [text, language] of [
    ['Rigtig god app, jeg bruger den hver dag', 'da'],
    ['Veldig bra app, men jeg skulle ønske at det gikk an å endre språket', 'no'],
    ['Todella hyvä sovellus, toimii juuri niin kuin pitääkin', 'fi'],
    ['Bardzo dobra aplikacja, polecam każdemu', 'pl'],
    ['Skvělá aplikace, všechno funguje jak má', 'cs'],
    ['Uygulama sürekli kapanıyor, lütfen düzeltin', 'tr'],
    ['Nu merge deloc după ultima actualizare', 'ro'],
    ['Frissítés óta folyamatosan összeomlik', 'hu'],
    ['Ứng dụng rất tuyệt vời, tôi rất thích', 'vi'],
    ['Tolong diperbaiki, aplikasi sering keluar sendiri', 'id'],
    ['Отличное приложение', 'ru'],
  ] as const)
    assert.equal(languageOf(text, 'us'), language, text)
})

test('a text in a language that is not distinguished is undetermined', () => {
  for (const text of [
    'Odlična aplikacija, sve radi kako treba',
    'Väga hea rakendus, soovitan kõigile',
    'Labai gera programėlė, rekomenduoju visiems',
    'Programu nzuri sana, ninaipenda',
    'Maganda ang app na ito, nakakatulong sa akin araw araw',
  ])
    assert.equal(languageOf(text, 'us'), 'und', text)
})

test('a long text keeps its language, also one that repeats itself and has no function words', () => {
  const words =
    'Brilliant smooth reliable navigation, offline maps, traffic alerts, fuel prices, parking history. '
  for (const times of [1, 4, 40]) assert.equal(languageOf(words.repeat(times), 'us'), 'en', `${times} times`)
})
