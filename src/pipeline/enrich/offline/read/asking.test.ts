import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOfflineEngine } from '../engine.ts'

const enrich = createOfflineEngine()

const asks = (body: string) =>
  enrich({ title: null, body, rating: null, storefront: null }).is_feature_request

const allAsk = (...bodies: readonly string[]) => {
  for (const body of bodies) assert.equal(asks(body), true, body)
}

const noneAsks = (...bodies: readonly string[]) => {
  for (const body of bodies) assert.equal(asks(body), false, body)
}

test('whatever is wished for is asked for, whether or not a feature is known by it', () => {
  allAsk(
    'I should be able to read along.',
    'Ich möchte mitlesen können, was gesprochen wird.',
    'Al abrir debería preguntar quién soy y mostrar lo mío.',
    'Boken borde kunna registreras genom att man visar baksidan.',
    '둘 다 똑같이 맞춰 주세요.',
    '雰囲気を変えてほしいです。',
  )
})

test('a wish in a sentence that tells of a fault, a dislike or money asks for nothing', () => {
  noneAsks(
    'I want my money back.',
    'It should open, but it crashes every time.',
    'I would cancel, way too expensive.',
    'Das sollte funktionieren, stürzt aber ab.',
  )
})

test('words that only sound like asking ask for nothing', () => {
  noneAsks(
    'Does everything I need.',
    'Lo que necesito lo tiene todo.',
    'Fa esattamente quello che mi serve.',
    'Als ich ankam, war das gut und es wurde mir geholfen.',
    'When I want to scan, the camera stays black.',
  )
})

test('an exact feature that is missing is asked for, though its absence is told like a fault', () => {
  allAsk('Calendar integration missing.', 'CarPlay is missing, what a pity.', 'No deja crear carpetas.')
})

test('an exact feature whose loss is part of a harm is not asked for', () => {
  noneAsks('All my notes are gone. No backup, nothing.')
})

test('a feature that is praised is not missed, one that would be nice is', () => {
  noneAsks('Per Drag-and-drop klappt das Umplanen kinderleicht.', 'Smidigt att kunna skriva anteckningar.')
  allAsk('Metrische Einheiten wären nett.', 'Liggende weergave op de tablet graag.')
})

test('a general feature beside a complaint is not missed, an exact one is', () => {
  noneAsks('Since today the map lags without end.')
  allAsk('No dark mode, I am going blind.')
})

test('a fault in the words of a request is what the wish is about, a crash is to be mended', () => {
  allAsk('I wish I could slow the Spanish dialogues down.')
  noneAsks('Please make it stop crashing.')
})

test('a question that is hardly more than the name of a feature asks for it, one about what there is does not', () => {
  allAsk('Dark mode?!', 'Un tema scuro no?', '다크모드는요?', 'Undo button where??', 'Night theme kab?')
  noneAsks('¿Funciona con Android Auto?', 'Does it also show widgets?', 'Dark mode!')
})

test('of several denials together that also deny what no app has, none misses anything', () => {
  noneAsks(
    'Geen telefoon, geen chat, geen antwoord.',
    'Sem recibo, sem premium, sem resposta.',
    'Sans pub, sans compte, sans prise de tête.',
  )
  allAsk('No dark mode, no folders, no widgets.')
})

test('a denial beside a fault in its sentence tells of that fault', () => {
  noneAsks(
    'Wecker blieb stumm, kein Ton, keine Vibration, ich kam zu spät.',
    'El saldo sigue en cero y no hay historial.',
  )
})

test('a question whether there is a limit, or a choice between two, asks for nothing', () => {
  noneAsks(
    '¿Hay un límite de plantas en la versión gratuita?',
    'Läser den Excelfiler eller måste jag börja om?',
  )
})

test('a denial is about what stands beside it, not about the rest of the sentence', () => {
  noneAsks('La carte ne me trouve pas, aucun itinéraire.', 'Paguei o ano inteiro com recibo, sem premium.')
})

test('what a sign-up demands is not what the user asks for', () => {
  noneAsks(
    'I just want to book a haircut and it asks for my birthday.',
    'Voglio solo prenotare un taglio e mi chiedono indirizzo e codice fiscale.',
  )
})

test('who wants everything to stay asks for nothing, nor who wants no other app', () => {
  noneAsks(
    'ずっとこのままでいてほしい',
    'Bitte lasst alles so, wie es ist.',
    'No quiero ninguna otra app de gastos.',
    'Ab mujhe koi dusra budget app nahi chahiye.',
  )
})

test('German verbs of wishing are told from their past', () => {
  allAsk('Eine Karte wäre gut.', 'Wuerde gern die Karte drucken.')
  noneAsks('Die Karte war gut.', 'Mir wurde die Karte gesperrt.')
})

test('what asks for nothing is still about what it names', () => {
  const read = enrich({ title: null, body: '환불해 주세요', rating: null, storefront: null })
  assert.equal(read.is_feature_request, false)
  assert.deepEqual(read.themes, ['refund'])
})

test('words of asking in a sentence that is worded like what asks for nothing ask for nothing', () => {
  noneAsks(
    'Al subir un video marca error y no deja publicar.',
    'Na de update moet ik bij elke tik drie tellen wachten.',
  )
})

test('what one device has and another has not asks for neither of them', () => {
  noneAsks(
    'What I write down on the laptop is not on the phone an hour later.',
    'パソコンで入れた予定がスマホに出てきません。',
    'Wat ik op de laptop invul, staat een uur later nog niet op mijn telefoon.',
  )
  allAsk('Please sync what I write down on the laptop to my phone.')
})
