import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnfitText } from './summary-text.ts'

test('texts with links in any script and spelling are unfit', () => {
  for (const text of [
    'See evil.example now',
    'See пример.рф now',
    'See evil。com now',
    'See evil．com or evil｡com',
    'See ev\u00adil.c\u00adom now',
    'See evil\u200b.com now',
    'See ｅｖｉｌ．ｃｏｍ now',
    'See 例え。com now',
    'See münchen.de now',
    'See xn--e1afmkfd.xn--p1ai now',
    'See उदाहरण.भारत now',
    'See مثال.إختبار now',
    'Go to evil[.]com',
    'Go to hxxp://x',
    'Mail a＠b.example',
    'Pay 0x52908400098527886E0F7030069857D2E4169EE7',
    'Pay bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'Pay 1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    'Call ００４９１２３４５６７',
    'Call ٠١٢٣٤٥٦٧٨٩',
  ])
    assert.ok(isUnfitText(text, ''), text)
})

test('ordinary texts in any script are fit', () => {
  for (const text of [
    'Crashes since v2.1, e.g. on start.',
    'Приложение не работает. Верните старую версию, т.е. прошлую.',
    'アプリが落ちます。直してください。',
    '应用崩溃。请修复。iOS 版本也是。',
    'Love it... really',
    'Rated 4.5 of 5; costs 3.99 a month.',
    'The Booking.com app works',
    'Das dauert z.B. zu lange.',
    'Uses internationalization-support-everywhere features',
  ])
    assert.ok(!isUnfitText(text, 'Booking.com'), text)
})
