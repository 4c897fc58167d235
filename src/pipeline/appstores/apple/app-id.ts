/**
 * Apple's ids are numbers, of 9 or 10 digits today. The API accepts any text as an app id. Any other text gets `gone`
 * without a request: one invalid id makes Apple reject a lookup of 200.
 */
export function isAppleAppId(appId: string): boolean {
  return /^[1-9]\d{0,14}$/.test(appId)
}

export function noSuchApp(source: string, appId: string): { kind: 'gone'; source: string; detail: string } {
  return {
    kind: 'gone',
    source,
    detail: `Apple has no app ${JSON.stringify(appId.slice(0, 60))}: its app ids are numbers.`,
  }
}
