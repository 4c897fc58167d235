const UNFIT = /https?:|www\.|@[\w-]+\.|\d{7,}|[<>{}]/i
/** `evil.example`, `t.me/x`; not `v2.1`, `e.g.` or the end of a sentence. */
const DOMAIN = /(?<![\p{L}\p{N}])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}[a-z]{2,24}(?![\p{L}\p{N}])/giu
const CALL =
  /(?:^|[.!?:;]\s*|\bplease\s+)(?:(?:visit|click|subscribe|check out|go to|sign up at|log in at|tap here)\b|(?:download|order|buy|get|claim|join|install|try|call|contact|message|text|send|email|follow|use|add)\s+(?:now|here|us|our|my|me|him|them|your|today|code)\b)|\b(?:click here|promo code|(?:use|with) (?:my |the )?code|call now|buy now|link in bio)\b/i

/** Finds links, bare domains, addresses, long numbers and markup. A domain that is part of the app's name is allowed. */
export function isUnfitText(text: string, appName: string): boolean {
  if (UNFIT.test(text)) return true
  const own = appName.toLowerCase()
  return (text.match(DOMAIN) ?? []).some((domain) => !own.includes(domain.toLowerCase()))
}

/** A summary that urges the reader to visit, call or buy was injected by the review. */
export function urgesReader(text: string): boolean {
  return CALL.test(text)
}
