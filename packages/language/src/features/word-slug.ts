const SLUG_CHARS_MAX = 40

/** A stable key `^[a-z0-9-]{2,40}$` for words of any script: romanised, or else a checksum. */
export function slugFromWords(words: string): string {
  const latin = [...words.normalize('NFD')]
    .map((character) => romanize(character))
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const slug = latin.slice(0, SLUG_CHARS_MAX).replace(/^-+|(?<!-)-+$/g, '')
  // Kanji cannot be romanised without a dictionary, and the rest alone would collide with other requests.
  return slug.length >= 2 && !/\p{Script=Han}/u.test(words) ? slug : `request-${checksum(words)}`
}

/** Kana to Latin letters. NFD has separated voicing marks, which are dropped. */
const KANA = new Map(
  [
    'あ:a い:i う:u え:e お:o か:ka き:ki く:ku け:ke こ:ko さ:sa し:shi す:su せ:se そ:so た:ta ち:chi つ:tsu て:te と:to',
    'な:na に:ni ぬ:nu ね:ne の:no は:ha ひ:hi ふ:fu へ:he ほ:ho ま:ma み:mi む:mu め:me も:mo や:ya ゆ:yu よ:yo',
    'ら:ra り:ri る:ru れ:re ろ:ro わ:wa を:o ん:n っ: ゃ:ya ゅ:yu ょ:yo ぁ:a ぃ:i ぅ:u ぇ:e ぉ:o',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
)
const JAMO_LEADS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ')
const JAMO_VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const JAMO_TAILS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p h'.split(' ')
const DEVANAGARI = new Map(
  (
    'अ:a आ:aa इ:i ई:i उ:u ऊ:u ऋ:ri ए:e ऐ:ai ओ:o औ:au क:k ख:kh ग:g घ:gh च:ch छ:chh ज:j झ:jh ट:t ठ:th ड:d ढ:dh ण:n त:t थ:th द:d ध:dh ' +
    'न:n प:p फ:ph ब:b भ:bh म:m य:y र:r ल:l व:v श:sh ष:sh स:s ह:h ा:a ि:i ी:i ु:u ू:u े:e ै:ai ो:o ौ:au ं:n ृ:ri'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
)

function romanize(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return character
  if (code >= 0x300 && code <= 0x36f) return ''
  if (code >= 0x30a1 && code <= 0x30f6) return KANA.get(String.fromCodePoint(code - 0x60)) ?? ''
  if (code >= 0x3041 && code <= 0x3096) return KANA.get(character) ?? ''
  if (code >= 0x1100 && code <= 0x1112) return JAMO_LEADS[code - 0x1100] ?? ''
  if (code >= 0x1161 && code <= 0x1175) return JAMO_VOWELS[code - 0x1161] ?? ''
  if (code >= 0x11a7 && code <= 0x11c2) return JAMO_TAILS[code - 0x11a7] ?? ''
  return DEVANAGARI.get(character) ?? ''
}

/** FNV-1a over the characters, 8 hex digits: the same words always give the same number. */
function checksum(words: string): string {
  let hash = 0x811c9dc5
  for (const character of words) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
