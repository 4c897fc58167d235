/**
 * The encoder's input: the stars (`☆` when hidden), the app's name if known, the text. train/prepare.ts builds the same input.
 */
export function inputText({
  text,
  rating,
  appName,
}: {
  readonly text: string
  readonly rating: number | null
  readonly appName: string | null
}): string {
  const stars = rating === null ? '☆' : `★${rating}`
  return appName === null || appName === '' ? `${stars} ${text}` : `${stars} ${appName} | ${text}`
}
