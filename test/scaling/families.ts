import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRandom } from './random.ts'

/** A kind of text that may be slow for a regular expression, in any length. */
export type Family = { readonly name: string; readonly text: (chars: number) => string }

const SIGNS = [
  ...'@.,;:!?\'"`<>&=/\\|-_+*#%^~()[]{}0a A\n\t',
  '\u3000あ',
  'ー',
  '中',
  '한',
  'हि',
  '़',
  'é',
  'e\u0301',
  '\u0301',
  '😀',
  '👨‍👩‍👧',
  '\ud83d',
  '\udc00',
  '\u200b',
  '\ufeff',
  '\uFFFD',
  'ﬁ',
  '①',
  'ß',
  'İ',
]
/** Texts that the service's expressions match, complete and truncated. */
const TOKENS = [
  'a@b.c',
  'a@',
  '@.',
  'https://',
  'https:/',
  'www.',
  'http://a.b ',
  '</review',
  '</review>',
  '<review>',
  '<!--',
  '-->',
  '<script',
  '<script>',
  '</script>',
  '<script type="application/ld+json"',
  '<script type="application/ld+json">{',
  '<![CDATA[',
  ']]>',
  ']]> ',
  '&amp;',
  '&#x1F600;',
  '&#',
  '&',
  '<entry>',
  '<id>',
  '<content type="html">',
  'href="',
  '<link rel="next" ',
  '<feed',
  '<html',
  '<title>',
  "AF_initDataCallback({key: 'ds:1', data:[",
  "AF_initDataCallback({key: 'ds:1'",
  'AF_dataServiceRequests',
  "'ds:1' : {id: 'Ws7gDc'",
  ")]}'\n",
  '[["wrb.fr"',
  '[[[[',
  '{"a":',
  '"\\"',
  '12\n[1]',
  'id="serialized-server-data">',
  '"$kind":"Review"',
  '<think>',
  '</think>',
  '```',
  '```json\n',
  '{{',
  '{{#if a}}',
  '(masked)',
  'URL',
  'ENTITY_',
  '\n\n',
  '1.2.3',
  'v1.',
  '1,2',
  '+49 ',
  '(030)',
  'DE12 3456 ',
  '12345 ',
  'no ',
  'no no ',
  'not ',
  'never ',
  'without ',
  'no crash, ',
  "doesn't work, ",
  'bug, login, sync, ',
  'please add dark mode, ',
  'I wish ',
  'better than Spotify ',
  'switched to Netflix, ',
  'phone, tablet, ',
  'why? ',
  'dark mode? ',
  'ads ',
  'refund ',
  'refund, payment, ',
  'since the update ',
  'kein ',
  'nicht, ',
  'pas de ',
  'no hay ',
  'なし',
  'ない。',
  '안 돼요 ',
  '없어요, ',
  'नहीं ',
  'nahi hai ',
  'どうして、',
]

/** Sorted by name, at least 200, the same each time. */
export function families(): Family[] {
  const random = createRandom(7)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const phrases = phrasesOfTables()
  const pieces = [...SIGNS, ...TOKENS]
  const repeated = (piece: string): Family => ({
    name: `${JSON.stringify(piece)} again and again`,
    text: (chars) => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars),
  })
  const mixed = (name: string, parts: readonly string[]): Family => repeatedAs(name, parts.join(''))
  return [
    ...pieces.map(repeated),
    ...TOKENS.map((token) => ({
      name: `${JSON.stringify(token)} and then only blanks`,
      text: (chars: number) => `${token}${' '.repeat(Math.max(0, chars - token.length - 1))}x`,
    })),
    ...Array.from({ length: 40 }, () => [pick(pieces), pick(pieces)]).map((pair) =>
      mixed(`the pair ${JSON.stringify(pair)}`, pair),
    ),
    ...Array.from({ length: 40 }, (_, at) => {
      const between = pick([', ', '. ', ' ', '? ', ', no '])
      const parts = Array.from({ length: 1 + (at % 6) }, () => pick(phrases) + between)
      return mixed(`phrases ${JSON.stringify(parts)}`, parts)
    }),
  ]
}

function repeatedAs(name: string, piece: string): Family {
  return { name, text: (chars) => piece.repeat(Math.ceil(chars / Math.max(1, piece.length))).slice(0, chars) }
}

/** Plain phrases of the language tables, with the most matches in the engine. */
function phrasesOfTables(): string[] {
  const root = new URL('../../packages/language/data/', import.meta.url)
  return ['features', 'concepts', 'competitors'].flatMap((kind) => {
    return readdirSync(root)
      .map((language) => new URL(`${language}/${kind}.txt`, root))
      .filter(existsSync)
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => line !== '' && !/[@#=[\]()]/.test(line))
      .flatMap((line) => line.split(/[,、，/]/))
      .map((phrase) => phrase.replace(/[*?.]/g, '').trim())
      .filter((phrase) => phrase.length > 1)
  })
}
