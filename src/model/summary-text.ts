const UNFIT = /https?:|hxxps?:|www\.|@[\p{L}\p{N}_-]{1,63}\.|\p{Nd}{7,}|[<>{}]|\[\.\]|\(dot\)|\bdot com\b/iu
/** `evil.example`, `t.me/x`, `пример.рф`; not `v2.1`, `e.g.` or the end of a sentence. */
const DOMAIN =
  /(?<![\p{L}\p{M}\p{N}])(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}\.){1,4}(?:xn--[a-z0-9-]{2,59}|[\p{L}\p{M}]{2,24})(?![\p{L}\p{M}\p{N}])/giu
/** Browsers take `。` for a dot, but it also ends sentences: a domain has ASCII on both sides, or a frequent ending after it. */
const IDEOGRAPHIC_DOT =
  /(?<=[a-z0-9])。(?=[a-z0-9])|(?<=[\p{L}\p{N}])。(?=(?:com|net|org|info|xyz|cn|jp|tw|hk|kr|ru|io|co|me|cc|app|shop|top|site|online)(?![\p{L}\p{N}]))/giu
/** Bitcoin, Ethereum and others: a long mix of letters and digits. */
const WALLET = /(?<![\p{L}\p{N}])(?=[a-z]{0,60}\d)(?=\d{0,60}[a-z])[a-z0-9]{25,90}(?![\p{L}\p{N}])/iu
const CALL =
  /(?:^|[.!?:;]\s*|\bplease\s+)(?:(?:visit|click|subscribe|check out|go to|sign up at|log in at|tap here)\b|(?:download|order|buy|get|claim|join|install|try|call|contact|message|text|send|email|follow|use|add)\s+(?:now|here|us|our|my|me|him|them|your|today|code)\b)|\b(?:click here|promo code|(?:use|with) (?:my |the )?code|call now|buy now|link in bio)\b/i

/** As a reader sees it: compatible forms of letters are one, and invisible characters and soft hyphens are gone. */
export function visibleText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(IDEOGRAPHIC_DOT, '.')
}

/**
 * Finds links, bare domains, addresses, wallets, long numbers and markup, in any script. A domain that is part of the app's name is
 * allowed.
 */
export function isUnfitText(text: string, appName: string): boolean {
  const visible = visibleText(text)
  if (UNFIT.test(visible) || WALLET.test(visible)) return true
  const own = visibleText(appName).toLowerCase()
  return (visible.match(DOMAIN) ?? []).some((domain) => !own.includes(domain.toLowerCase()))
}

/** A summary that urges the reader to visit, call or buy was injected by the review. */
export function urgesReader(text: string): boolean {
  return CALL.test(visibleText(text))
}
